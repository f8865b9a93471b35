// What npm serves of a release, compared with the tarballs that were built from its tag.
import { tmpdir } from 'node:os'
import { run } from '../npm.js'

/** @typedef {{ name: string, version: string, integrity: string }} Tarball */

/**
 * Prints a line for each tarball, and what all of them mean.
 *
 * @param {readonly Tarball[]} tarballs
 * @param {NodeJS.ProcessEnv} [env] whose npm has the registry
 * @returns the exit code: 1 if some differ, otherwise 2 if npm does not have some
 */
export async function compareWithNpm(tarballs, env) {
  /** @type {{ name: string, npm: string }[]} */
  const rows = []
  for (const tarball of tarballs) rows.push({ name: tarball.name, npm: await served(tarball, env) })
  console.table(rows)
  const count = (/** @type {string} */ npm) => rows.filter((row) => row.npm === npm).length
  const differing = count('DIFFERS')
  const missing = count('not published')
  if (differing > 0) console.error(`${differing} of ${rows.length} differ: report it, and do not use them.`)
  else if (missing > 0) console.error(`npm does not have ${missing} of ${rows.length}.`)
  else console.log('npm serves what was built here.')
  return differing > 0 ? 1 : missing > 0 ? 2 : 0
}

/**
 * @param {Tarball} tarball
 * @param {NodeJS.ProcessEnv} [env]
 */
async function served({ name, version, integrity }, env) {
  const line = ['npm', 'view', `${name}@${version}`, 'dist.integrity', '--fetch-retries=0']
  const { code, stdout, output } = await run(tmpdir(), line, env)
  if (code === 0 && stdout.trim() !== '') return stdout.trim() === integrity ? 'equal' : 'DIFFERS'
  // If the package has other versions, npm succeeds and prints nothing.
  if (code === 0 || output.includes('E404')) return 'not published'
  throw new Error(`npm did not answer for ${name}:\n${output}`)
}
