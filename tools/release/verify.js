// Builds a release twice, each time in a clean folder from a clone, and compares the tarballs with each other and with those
// that npm serves:
//
//   npm run release:verify 0.1.0 [-- --from <commit>] [--node <executable>] [--offline] [--placeholder-owner]
//
// The exit code is 0 if all of these are equal (with --offline: both builds), 1 if some differ, 2 if nothing could be built,
// and 3 if both builds are equal, but npm has no such version or does not answer.
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { run, succeed } from '../npm.js'

/** @typedef {{ name: string, version: string, sha256: string, integrity: string }} Tarball */
/** @typedef {'equal' | 'DIFFERS' | 'not published' | 'no answer' | 'not asked'} Served */

const text = /** @type {const} */ ({ type: 'string' })
const flag = /** @type {const} */ ({ type: 'boolean' })

/**
 * @param {string} repository
 * @param {string[]} args
 * @returns the exit code
 */
export async function verifyRelease(repository, args) {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { from: text, node: text, offline: flag, 'placeholder-owner': flag },
  })
  // npm keeps options before "--" for itself.
  const { offline = process.env['npm_config_offline'] === 'true' } = values
  const [version] = positionals
  const name = values.from ?? (version && `v${version}`)
  if (name === undefined) throw new Error('Usage: npm run release:verify <version> [-- --from <commit>]')
  const found = await run(repository, ['git', 'rev-parse', '--verify', '--quiet', `${name}^{commit}`])
  if (found.code !== 0)
    throw new Error(
      values.from === undefined
        ? `There is no tag ${name} here. Fetch it (git fetch --tags), or build another commit: -- --from <commit>`
        : `"--from" must be a commit of this repository, got "${name}"`,
    )

  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'release-verify-')))
  try {
    const commit = found.stdout.trim()
    const env = { ...process.env, ...(offline && { npm_config_offline: 'true' }) }
    const options = values['placeholder-owner'] ? ['--placeholder-owner'] : []
    const first = await build(repository, commit, join(folder, 'first'), options, env)
    const path = [...(values.node === undefined ? [] : [dirname(resolve(values.node))]), process.env['PATH']]
    const second = await build(repository, commit, join(folder, 'second'), options, {
      ...env,
      PATH: path.join(delimiter),
    })
    return await compare(first, second, offline)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * The tarballs of a commit, made as the release workflow makes them.
 *
 * @param {string} repository
 * @param {string} commit
 * @param {string} folder
 * @param {string[]} options of `release -- dry`
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<Tarball[]>} in the order in which they are published
 */
async function build(repository, commit, folder, options, env) {
  const out = `${folder}-tarballs`
  await step(tmpdir(), env, ['git', 'clone', '--quiet', '--no-checkout', repository, folder])
  await step(folder, env, ['git', 'checkout', '--quiet', '--detach', commit])
  await step(folder, env, ['npm', 'ci', '--prefer-offline', '--no-audit', '--no-fund'])
  await step(folder, env, ['npm', 'run', 'release', '--', 'dry', '--out', out, ...options])
  const lines = readFileSync(join(out, 'publish-order.txt'), 'utf8').trim().split('\n')
  return lines.map((line) => {
    const [name = '', version = '', file = ''] = line.split(' ')
    const bytes = readFileSync(join(out, file))
    const digest = (/** @type {string} */ hash, /** @type {'hex' | 'base64'} */ as) =>
      createHash(hash).update(bytes).digest(as)
    return {
      name,
      version,
      sha256: digest('sha256', 'hex'),
      integrity: `sha512-${digest('sha512', 'base64')}`,
    }
  })
}

/**
 * @param {string} cwd
 * @param {NodeJS.ProcessEnv} env
 * @param {string[]} line
 */
async function step(cwd, env, line) {
  const start = Date.now()
  await succeed(cwd, line, env)
  console.error(`${String(Math.round((Date.now() - start) / 1000)).padStart(4)} s  ${line.join(' ')}`)
}

/**
 * Prints a table. Tarballs of only one build are different, too.
 *
 * @param {Tarball[]} first
 * @param {Tarball[]} second
 * @param {boolean} offline
 * @returns the exit code
 */
async function compare(first, second, offline) {
  const names = new Set([...first, ...second].map(({ name }) => name))
  const rows = []
  let served = /** @type {Served} */ ('not asked')
  for (const name of names) {
    const [one, other] = [first, second].map((tarballs) => tarballs.find((each) => each.name === name))
    // After one failure, the others would only take their time.
    if (!offline && served !== 'no answer') served = await servedAs(one ?? other)
    const again = one?.integrity === other?.integrity ? 'equal' : 'DIFFERS'
    rows.push({ package: name, 'SHA-256': one?.sha256 ?? '-', 'second build': again, npm: served })
  }
  console.table(rows)
  if (rows.some((row) => Object.values(row).includes('DIFFERS'))) {
    console.error('Some tarballs differ: do not trust, and do not publish this release.')
    return 1
  }
  console.log('Both builds are equal.')
  if (offline) return 0
  const missing = rows.filter(({ npm }) => npm !== 'equal')
  if (missing.length === 0) return 0
  console.error(
    `Not compared with npm, because it has no such version or does not answer: ${missing.length} of ${rows.length}.`,
  )
  return 3
}

/**
 * @param {Tarball | undefined} tarball
 * @returns {Promise<Served>}
 */
async function servedAs({ name, version, integrity } = { name: '', version: '', sha256: '', integrity: '' }) {
  const line = ['npm', 'view', `${name}@${version}`, 'dist.integrity', '--fetch-retries=0']
  const { code, stdout, output } = await run(tmpdir(), line)
  if (code === 0 && stdout.trim() !== '') return stdout.trim() === integrity ? 'equal' : 'DIFFERS'
  return code === 0 || output.includes('E404') ? 'not published' : 'no answer'
}

const [, script = '', ...args] = process.argv
if (resolve(script) === fileURLToPath(import.meta.url)) {
  try {
    process.exitCode = await verifyRelease(fileURLToPath(new URL('../../', import.meta.url)), args)
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = 2
  }
}
