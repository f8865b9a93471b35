// Raises the version of all packages together: npm run release:version -- patch|minor|major
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { readPackages } from './metadata.js'

const root = fileURLToPath(new URL('../../', import.meta.url))
const bump = process.argv[2] ?? ''
if (!['patch', 'minor', 'major'].includes(bump))
  throw new TypeError(`expected patch, minor or major, got "${bump}"`)

const before = version()
writeFileSync(`${root}.changeset/release.md`, `---\n'@service-signature/core': ${bump}\n---\n`)
run('tools/release/node_modules/.bin/changeset', 'version')
run('npm', 'install', '--package-lock-only', '--ignore-scripts', '--silent')
// Hapi shows the version of a plugin, and an ES module cannot import package.json on every supported Node.
replace('packages/hapi/src/index.ts', `version: '${before}'`, `version: '${version()}'`)
replace('CHANGELOG.md', '## Unreleased\n', `## Unreleased\n\n## ${version()}\n`)
console.log(`${before} -> ${version()}`)

function version() {
  return readPackages(root)[0]?.manifest.version ?? ''
}

/** @param {string} file @param {string[]} args */
function run(file, ...args) {
  execFileSync(file, args, { cwd: root, stdio: 'inherit' })
}

/** @param {string} file @param {string} from @param {string} to */
function replace(file, from, to) {
  const text = readFileSync(root + file, 'utf8')
  if (!text.includes(from)) throw new Error(`${file} has no ${from}`)
  writeFileSync(root + file, text.replace(from, to))
}
