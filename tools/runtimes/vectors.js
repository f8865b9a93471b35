import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'

const folder = new URL('../../test-vectors/', import.meta.url)

/** So many there were when this was written. */
const FEWEST = 1316
/** Nobody waits for it: it ends what would never end. */
const LONGEST_MS = 60_000

/**
 * Has a runtime run all vectors.
 *
 * @param {number} port
 * @returns {Promise<import('./inside/vectors.js').Outcome>}
 */
export async function askVectors(port) {
  const names = readdirSync(folder).filter((name) => name.endsWith('.json') && name !== 'schema.json')
  // As they stand in the files: nothing of this process has had them in hand.
  const files = names.map((name) => readFileSync(new URL(name, folder), 'utf8'))
  const answer = await fetch(`http://127.0.0.1:${port}/vectors`, {
    method: 'POST',
    body: `[${files.join()}]`,
  })
  const outcome = /** @type {import('./inside/vectors.js').Outcome} */ (await answer.json())
  if (outcome.passed + outcome.failures.length < FEWEST) outcome.failures.push('there are vectors missing')
  return outcome
}

/**
 * Fails unless the runtime took the entry of core that it should: that for Node alone has functions without a promise.
 *
 * @param {number} port
 * @param {import('./runtimes.js').Digest} digest
 */
export async function checkEntry(port, digest) {
  const answer = await fetch(`http://127.0.0.1:${port}/about`, { signal: AbortSignal.timeout(LONGEST_MS) })
  /** @type {unknown} */
  const sync = await answer.json()
  const expected = ['verifySignatureSync', 'verifySignatureSync', 'verifySync', 'verifySync']
  assert.deepEqual(sync, digest === 'node:crypto' ? expected : [], 'the functions of core without a promise')
}
