// Explains the recorded deliveries of packages/explain/test/corpus and prints how many first lines are right, by kind, with
// the misses, the wrong claims and the CPU time. It fails if the rate falls, or something is claimed that did not happen.
import { build } from 'esbuild'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const folder = new URL('../packages/explain/test/corpus/', import.meta.url)
const temporary = mkdtempSync(join(tmpdir(), 'explain-corpus-'))
try {
  const outfile = join(temporary, 'measure.mjs')
  const entryPoints = [new URL('measure.ts', folder).pathname]
  await build({ entryPoints, outfile, bundle: true, platform: 'node', format: 'esm', logLevel: 'error' })
  /** @type {typeof import('../packages/explain/test/corpus/measure.js')} */
  const { measure } = await import(pathToFileURL(outfile).href)
  process.exitCode = (await measure(folder)) ? 0 : 1
} finally {
  rmSync(temporary, { recursive: true })
}
