// npm installs core with an adapter, and refuses adapters of another version rather than install a second core.
import { deepStrictEqual, match, strictEqual } from 'node:assert'
import { execFile, execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join, resolve } from 'node:path'

const OWN = '@service-signature'
/** Where the tarballs are, by the names of the packages. */
const { overrides } = JSON.parse(readFileSync('package.json', 'utf8'))
/** The tarballs of both versions, and what a registry answers about them. */
const tarballs = new Map()
const packuments = new Map()
const registry = createServer((req, res) => {
  const path = decodeURIComponent(req.url)
  const answer = tarballs.get(path) ?? packuments.get(path)
  res.writeHead(answer === undefined ? 404 : 200).end(answer)
}).listen(0, '127.0.0.1')
await once(registry, 'listening')
const url = `http://127.0.0.1:${registry.address().port}`
const version = /-([\d.]+)\.tgz$/.exec(overrides[`${OWN}/core`])[1]
const LATER = version.replace(/(\d+)\.\d+$/, (_, minor) => `${Number(minor) + 1}.0`)
for (const name of ['core', 'express', 'fetch']) publish(`${OWN}/${name}`)

const alone = project('alone')
strictEqual(await install(alone, `express@${version}`), '')
deepStrictEqual(coresIn(alone), [version])
match(await install(alone, `fetch@${LATER}`), /ERESOLVE/)
deepStrictEqual(coresIn(alone), [version])

const named = project('named')
strictEqual(await install(named, `core@${version}`, `express@${version}`), '')
match(await install(named, `express@${LATER}`), /ERESOLVE/)
deepStrictEqual(coresIn(named), [version])
strictEqual(await install(named, `core@${LATER}`, `express@${LATER}`), '')
deepStrictEqual(coresIn(named), [LATER])
registry.close()

/** Offers a package in its own version, and in a later one. */
function publish(name) {
  const first = overrides[name].slice('file:'.length)
  const folder = resolve('packages', name)
  mkdirSync(folder, { recursive: true })
  execFileSync('tar', ['-xzf', first, '-C', folder])
  const manifest = readFileSync(join(folder, 'package/package.json'), 'utf8')
  const later = manifest.replaceAll(version, LATER)
  writeFileSync(join(folder, 'package/package.json'), later)
  const second = join(folder, 'later.tgz')
  execFileSync('tar', ['-czf', second, '-C', folder, 'package'])
  const versions = { [version]: offer(first, manifest), [LATER]: offer(second, later) }
  packuments.set(`/${name}`, JSON.stringify({ name, 'dist-tags': { latest: version }, versions }))
}

function offer(file, text) {
  const manifest = JSON.parse(text)
  const path = `/tarballs/${manifest.name}-${manifest.version}.tgz`
  tarballs.set(path, readFileSync(file))
  return { ...manifest, dist: { tarball: url + path } }
}

function project(name) {
  mkdirSync(name)
  writeFileSync(join(name, 'package.json'), '{"private":true}')
  writeFileSync(join(name, '.npmrc'), `${OWN}:registry=${url}\n`)
  return name
}

/** Installs packages, and resolves to what npm printed if it failed. */
async function install(cwd, ...names) {
  const options = ['--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error']
  const args = ['install', ...options, ...names.map((name) => `${OWN}/${name}`)]
  return new Promise((done) => {
    execFile('npm', args, { cwd }, (error, stdout, stderr) => {
      done(error === null ? '' : stdout + stderr)
    })
  })
}

/** The versions of all copies of core. */
function coresIn(folder) {
  const files = readdirSync(folder, { recursive: true }).filter((file) =>
    file.endsWith(`node_modules/${OWN}/core/package.json`),
  )
  return files.map((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')).version)
}
