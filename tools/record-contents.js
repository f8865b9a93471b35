import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

/** @typedef {{ type: 'chunk', isEntry: boolean, name: string, moduleIds: string[] } | { type: 'asset' }} File in a bundle */

const root = fileURLToPath(new URL('../', import.meta.url))
/** What the files of the last build contain, in the same folders. */
export const RECORDS = '.tsbuild/contents'

/**
 * A plugin of Rollup and of Vite. Records for the SBOM which packages a bundle contains, by their folders: as in the lock
 * file.
 */
export function recordContents() {
  return {
    name: 'record-contents',
    /**
     * @param {{ dir?: string | undefined }} options
     * @param {Record<string, File>} files
     */
    generateBundle({ dir = '.' }, files) {
      const chunks = Object.values(files).filter((file) => file.type === 'chunk')
      const entries = chunks.filter(({ isEntry }) => isEntry).map(({ name }) => name)
      // Other modules are made by the bundler.
      const modules = chunks.flatMap(({ moduleIds }) => moduleIds.filter((id) => id.startsWith(root)))
      const record = join(
        root,
        RECORDS,
        relative(root, resolve(root, dir)),
        `${entries.sort().join('+')}.json`,
      )
      mkdirSync(dirname(record), { recursive: true })
      writeFileSync(record, JSON.stringify([...new Set(modules.map(packageOf))].sort()))
    },
  }
}

/** @param {string} module */
function packageOf(module) {
  const inNodeModules = /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(module)?.[1]
  let folder = inNodeModules ?? dirname(module)
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder)
  return relative(root, folder).replaceAll('\\', '/')
}
