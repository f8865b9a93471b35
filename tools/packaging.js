// What npm would publish: the files that belong there and no others, with entries that every resolver finds.
import { deepStrictEqual } from 'node:assert'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const packages = fileURLToPath(new URL('../packages/', import.meta.url))
const output = mkdtempSync(join(tmpdir(), 'service-signature-'))

try {
  for (const name of readdirSync(packages)) if (!isPrivate(name)) check(join(packages, name))
} finally {
  rmSync(output, { recursive: true })
}

/** @param {string} name */
function isPrivate(name) {
  /** @type {{ private?: boolean }} */
  const manifest = JSON.parse(readFileSync(join(packages, name, 'package.json'), 'utf8'))
  return manifest.private === true
}

/** @param {string} folder */
function check(folder) {
  /** @type {[{ name: string, filename: string, size: number, files: { path: string }[] }]} */
  const [packed] = JSON.parse(
    run(folder, 'npm', 'pack', '--json', '--ignore-scripts', '--pack-destination', output),
  )
  const files = packed.files.map(({ path }) => path)
  deepStrictEqual(files.sort(), expectedFiles(folder).sort())

  const tarball = join(output, packed.filename)
  run(folder, 'npx', '--no-install', 'publint', '--strict', tarball)
  run(folder, 'npx', '--no-install', 'attw', tarball)
  console.log(
    `${packed.name}: ${files.length} files, ${packed.size} bytes packed; publint and attw find nothing`,
  )
}

/**
 * Each source as it is, and built twice.
 *
 * @param {string} folder
 */
function expectedFiles(folder) {
  const sources = readdirSync(join(folder, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => path.slice(0, -'.ts'.length))
  const built = ['dist/esm', 'dist/cjs'].flatMap((target) => [
    `${target}/package.json`,
    ...sources.flatMap((path) =>
      ['js', 'js.map', 'd.ts', 'd.ts.map'].map((type) => `${target}/${path}.${type}`),
    ),
  ])
  return ['LICENSE', 'README.md', 'package.json', ...sources.map((path) => `src/${path}.ts`), ...built]
}

/**
 * @param {string} cwd
 * @param {string} command
 * @param {string[]} args
 */
function run(cwd, command, ...args) {
  try {
    return execFileSync(command, args, { cwd, encoding: 'utf8', stdio: 'pipe' })
  } catch (error) {
    process.stderr.write(/** @type {{ stdout: string }} */ (error).stdout)
    throw error
  }
}
