import assert from 'node:assert/strict'
import { BODIES } from './cases/bodies.js'
import { GENUINE } from './cases/genuine.js'
import { REFUSALS } from './cases/refusals.js'
import { REPLAYS } from './cases/replays.js'
import { SECRETS } from './cases/secrets.js'
import { Remote } from './remote.js'

const CASES = [...GENUINE, ...REFUSALS, ...BODIES, ...REPLAYS, ...SECRETS]

/**
 * @typedef {object} Outcome
 * @property {number} passed
 * @property {string[]} failures
 * @property {string[]} unable what the runtime cannot do, by the cases that take it
 */

/**
 * Plays every case at a server, each with an endpoint of its own.
 *
 * @param {number} port
 * @param {Readonly<Record<string, string>>} lacks
 * @param {Awaited<ReturnType<typeof import('./key-service.js').startKeyService>>} keyService
 * @returns {Promise<Outcome>}
 */
export async function playCases(port, lacks, keyService) {
  /** @type {Outcome} */
  const outcome = { passed: 0, failures: [], unable: [] }
  for (const one of CASES) {
    const reason = one.takes === undefined ? undefined : lacks[one.takes]
    if (reason !== undefined) {
      outcome.unable.push(`${one.name}: ${reason}`)
      continue
    }
    const remote = new Remote(port, one.setup ?? 'plain', keyService.open(one.account ?? 'known'))
    try {
      await play(one, remote)
      outcome.passed += 1
    } catch (error) {
      outcome.failures.push(`${one.name}: ${error instanceof Error ? error.message : String(error)}`)
    } finally {
      await remote.close()
    }
  }
  return outcome
}

/**
 * @param {import('./cases/case.js').Case} one
 * @param {Remote} remote
 */
async function play(one, remote) {
  await one.play(remote)
  const { codes = [], handled = 0 } = one
  const seen = await remote.seen()
  assert.deepEqual(seen.codes, codes)
  if (handled !== 'any') assert.equal(seen.handled.length, handled, 'so often the handler ran')
}
