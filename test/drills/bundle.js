import { build } from 'esbuild'
import { existsSync } from 'node:fs'
import { mkdtemp, mkdir, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const SOURCES = fileURLToPath(new URL('.', import.meta.url))
const ROOT = join(SOURCES, '../..')
/**
 * Bundles a file, by its path from this folder, with the sources of this repository's packages. Other packages are left out.
 *
 * @param {string} name
 * @param {string} [database] what it imports as "#database", of the folder databases
 */
export async function bundle(name, database = 'postgres') {
  // Inside node_modules, so that a bundle finds the packages that it leaves out.
  const drivers = join(ROOT, 'test/drivers/node_modules')
  const cache = join(existsSync(drivers) ? drivers : join(ROOT, 'node_modules'), '.cache')
  await mkdir(cache, { recursive: true })
  const folder = await mkdtemp(join(cache, 'drill-'))
  const file = join(folder, basename(name, '.ts') + '.mjs')
  await build({
    entryPoints: [join(SOURCES, name)],
    outfile: file,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    packages: 'external',
    alias: { '#database': join(SOURCES, 'databases', `${database}.ts`) },
    tsconfig: join(ROOT, 'tsconfig.json'),
  })
  return { file, remove: () => rm(folder, { recursive: true, force: true }) }
}
