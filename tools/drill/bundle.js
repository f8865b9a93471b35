import { build } from 'esbuild'
import { mkdtemp, mkdir, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const SOURCES = fileURLToPath(new URL('.', import.meta.url))
const ROOT = join(SOURCES, '../..')
// Inside node_modules, so that a bundle finds the packages that it leaves out.
const CACHE = join(ROOT, 'node_modules/.cache')

/**
 * Bundles a file, by its path from this folder, with the sources of this repository's packages. Other packages are left out.
 *
 * @param {string} name
 */
export async function bundle(name) {
  await mkdir(CACHE, { recursive: true })
  const folder = await mkdtemp(join(CACHE, 'drill-'))
  const file = join(folder, basename(name, '.ts') + '.mjs')
  await build({
    entryPoints: [join(SOURCES, name)],
    outfile: file,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    packages: 'external',
    tsconfig: join(ROOT, 'tsconfig.json'),
  })
  return { file, remove: () => rm(folder, { recursive: true, force: true }) }
}
