import { equal } from './outcome.js'

/**
 * See test-vectors/README.md.
 *
 * @typedef {{ suite: string, testGroups?: readonly Group[] }} VectorFile
 *
 * @typedef {object} Group
 * @property {'signature' | 'webhook'} operation
 * @property {readonly string[]} secrets
 * @property {readonly string[]} apiKeys
 * @property {readonly ('v1' | 'v2' | 'v3')[]} versions
 * @property {number | 'Infinity'} toleranceSeconds
 * @property {number} futureToleranceSeconds
 * @property {readonly Vector[]} tests
 *
 * @typedef {object} Vector
 * @property {number} tcId
 * @property {string} comment
 * @property {string} body
 * @property {string | readonly string[] | null} header
 * @property {number} now
 * @property {'valid' | 'invalid'} result
 * @property {string} [code]
 * @property {number} [secretIndex]
 * @property {string} [canonicalForm]
 *
 * @typedef {typeof import('@service-signature/core')} Core
 */

/**
 * Runs every vector with a promise and, where the entry of core has such functions, without one.
 *
 * @param {Core} core
 * @param {readonly VectorFile[]} files
 * @param {import('./outcome.js').Outcome} outcome
 */
export async function runVectors(core, files, outcome) {
  for (const { suite, testGroups = [] } of files) {
    for (const group of testGroups) {
      for (const vector of group.tests) {
        const title = `${suite} ${vector.tcId} (${vector.comment})`
        const { code, secretIndex, canonicalForm } = vector
        const expected = vector.result === 'valid' ? { secretIndex, canonicalForm } : { code }
        const { verify, verifySync } = questions(core, group, vector)
        await outcome.test(`${title}, with a promise`, async () => {
          equal(await verify().then(proofOf, (/** @type {unknown} */ error) => codeOf(core, error)), expected)
        })
        if (!('verifySync' in core)) continue
        await outcome.test(`${title}, without a promise`, () => {
          equal(resultOf(core, verifySync), expected)
        })
      }
    }
  }
}

/**
 * @param {Core} core
 * @param {Group} group
 * @param {Vector} vector
 */
function questions(core, group, { body, header, now }) {
  const { secrets, apiKeys, versions, toleranceSeconds, futureToleranceSeconds } = group
  const verifier = core.createVerifier({
    ...(secrets.length > 0 && { secret: secrets }),
    ...(apiKeys.length > 0 && { apiKey: apiKeys }),
    ...{ versions, futureToleranceSeconds, toleranceSeconds: Number(toleranceSeconds), now: () => now },
  })
  const bytes = Uint8Array.from(body.match(/../g) ?? [], (digits) => Number.parseInt(digits, 16))
  if (group.operation === 'webhook') {
    return {
      verify: () => verifier.verify(bytes, header),
      verifySync: () => verifier.verifySync(bytes, header),
    }
  }
  return {
    verify: () => verifier.verifySignature(bytes, header),
    verifySync: () => verifier.verifySignatureSync(bytes, header),
  }
}

/**
 * @param {Core} core
 * @param {() => import('@service-signature/core').SignatureProof} verify
 */
function resultOf(core, verify) {
  try {
    return proofOf(verify())
  } catch (error) {
    return codeOf(core, error)
  }
}

/** @param {import('@service-signature/core').SignatureProof} proof */
function proofOf({ secretIndex, canonicalForm }) {
  return { secretIndex, canonicalForm }
}

/**
 * @param {Core} core
 * @param {unknown} error
 */
function codeOf({ WebhookError }, error) {
  if (!WebhookError.is(error)) throw error
  return { code: error.code }
}
