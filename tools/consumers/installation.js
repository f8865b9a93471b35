// Packs the packages as npm would publish them.
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { pack } from '../npm.js'
import { readPackages } from '../release/metadata.js'

const root = fileURLToPath(new URL('../../', import.meta.url))
export const published = readPackages(root).filter(({ manifest }) => manifest.private !== true)

/**
 * Packs every package that is published.
 *
 * @param {string} folder for the tarballs
 * @returns {Promise<Record<string, string>>} where npm finds each package, by its name
 */
export async function packAll(folder) {
  const folders = published.map((each) => each.folder)
  const packed = await pack(root, folders, folder)
  return Object.fromEntries(
    packed.map(({ name, filename, files }) => {
      const isBuilt = files.some(({ path }) => path.startsWith('dist/'))
      if (!isBuilt) throw new Error(`${name} is not built. Run: npm run build`)
      return [name, `file:${join(folder, filename)}`]
    }),
  )
}
