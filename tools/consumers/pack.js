import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { run } from './steps.js'

const root = fileURLToPath(new URL('../../', import.meta.url))

/**
 * Packs every package that is published, as it is built, into a folder. Gives the tarballs by the names of the packages.
 *
 * @param {string} folder
 * @returns {Promise<Map<string, string>>}
 */
export async function pack(folder) {
  const names = readdirSync(join(root, 'packages')).flatMap((name) => {
    const path = join(root, 'packages', name)
    /** @type {{ name: string, private?: boolean }} */
    const manifest = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'))
    if (manifest.private === true) return []
    if (existsSync(join(path, 'dist'))) return [manifest.name]
    process.stderr.write(`NOT TESTED: ${manifest.name} is not built. Run: npm run build\n`)
    return []
  })
  const workspaces = names.map((name) => `--workspace=${name}`)
  const options = ['--json', '--ignore-scripts', '--loglevel=error', `--pack-destination=${folder}`]
  const output = await run(root, ['npm', 'pack', ...options, ...workspaces])
  // A list, or an object of it by names: npm has had both.
  /** @type {Record<string, { name: string, filename: string }>} */
  const packed = JSON.parse(output)
  return new Map(Object.values(packed).map(({ name, filename }) => [name, join(folder, filename)]))
}
