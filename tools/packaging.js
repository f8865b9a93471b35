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
  for (const name of readdirSync(packages)) {
    const manifest = readManifest(name)
    if (manifest.private !== true) check(join(packages, name), manifest)
  }
} finally {
  rmSync(output, { recursive: true })
}

/**
 * @typedef {{ private?: boolean, main?: string, bin?: Record<string, string> }} Manifest
 * @param {string} name
 * @returns {Manifest}
 */
function readManifest(name) {
  /** @type {Manifest} */
  const manifest = JSON.parse(readFileSync(join(packages, name, 'package.json'), 'utf8'))
  return manifest
}

/**
 * @param {string} folder
 * @param {Manifest} manifest
 */
function check(folder, manifest) {
  /** @type {[{ name: string, filename: string, size: number, files: { path: string }[] }]} */
  const [packed] = JSON.parse(
    run(folder, 'npm', 'pack', '--json', '--ignore-scripts', '--pack-destination', output),
  )
  const files = packed.files.map(({ path }) => path)
  deepStrictEqual(files.sort(), expectedFiles(folder, manifest).sort())

  const tarball = join(output, packed.filename)
  run(folder, 'npx', '--no-install', 'publint', '--strict', tarball)
  // A command has no types.
  if (manifest.main !== undefined) run(folder, 'npx', '--no-install', 'attw', tarball)
  console.log(
    `${packed.name}: ${files.length} files, ${packed.size} bytes packed; publint${manifest.main === undefined ? ' finds' : ' and attw find'} nothing`,
  )
}

/**
 * Each source as it is, and built: twice, where there is something to import.
 *
 * @param {string} folder
 * @param {Manifest} manifest
 */
function expectedFiles(folder, { main, bin = {} }) {
  const sources = readdirSync(join(folder, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => path.slice(0, -'.ts'.length))
  const targets = main === undefined ? ['dist/esm'] : ['dist/esm', 'dist/cjs']
  const built = targets.flatMap((target) => [
    `${target}/package.json`,
    ...sources.flatMap((path) =>
      ['js', 'js.map', 'd.ts', 'd.ts.map'].map((type) => `${target}/${path}.${type}`),
    ),
  ])
  const commands = Object.values(bin).map((path) => path.replace('./', ''))
  return [
    'LICENSE',
    'README.md',
    'package.json',
    ...commands,
    ...sources.map((path) => `src/${path}.ts`),
    ...built,
  ]
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
