import { build } from 'esbuild'
import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const inside = fileURLToPath(new URL('inside/', import.meta.url))

/**
 * Makes a Worker of the built packages, with its configuration, the way the bundlers of Workers do.
 *
 * @param {string} folder
 */
export async function bundleWorker(folder) {
  const { metafile } = await build({
    entryPoints: [join(inside, 'worker.js')],
    outfile: join(folder, 'worker.js'),
    bundle: true,
    format: 'esm',
    target: 'es2022',
    conditions: ['workerd', 'worker', 'browser'],
    metafile: true,
    logLevel: 'silent',
  })
  const strangers = Object.values(metafile.outputs).flatMap(({ imports }) => imports)
  if (strangers.length > 0)
    throw new Error(`The bundle still imports ${strangers.map(({ path }) => path).join()}`)
  const sources = Object.keys(metafile.inputs).filter((path) => /packages\/[^/]+\/src\//.test(path))
  if (sources.length > 0) throw new Error(`The bundle is not of the built packages: it has ${sources.join()}`)
  copyFileSync(join(inside, 'worker.capnp'), join(folder, 'worker.capnp'))
}
