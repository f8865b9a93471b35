// Runs the test vectors where it is, with nothing but what every runtime has.

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
 * @typedef {{ passed: number, failures: string[] }} Outcome
 * @typedef {import('@service-signature/core').SignatureProof} Proof
 * @typedef {typeof import('@service-signature/core')} Core
 */

/**
 * @param {Core} core
 * @param {readonly VectorFile[]} files
 * @returns {Promise<Outcome>}
 */
export async function runVectors(core, files) {
  /** @type {Outcome} */
  const outcome = { passed: 0, failures: [] }
  for (const { suite, testGroups = [] } of files) {
    for (const group of testGroups) {
      for (const vector of group.tests) {
        for (const [way, result] of await resultsOf(core, group, vector)) {
          const expected = expectedOf(vector)
          if (result === expected) outcome.passed += 1
          else {
            const name = `${suite} ${vector.tcId} (${vector.comment}), ${way}`
            outcome.failures.push(`${name}: ${result} and not ${expected}`)
          }
        }
      }
    }
  }
  return outcome
}

/**
 * What comes out in each way to ask: with a promise, and without one where the entry can.
 *
 * @param {Core} core
 * @param {Group} group
 * @param {Vector} vector
 */
async function resultsOf(core, group, { body, header, now }) {
  const verifier = core.createVerifier({
    ...(group.secrets.length > 0 && { secret: group.secrets }),
    ...(group.apiKeys.length > 0 && { apiKey: group.apiKeys }),
    versions: group.versions,
    toleranceSeconds: Number(group.toleranceSeconds),
    futureToleranceSeconds: group.futureToleranceSeconds,
    now: () => now,
  })
  const bytes = fromHex(body)
  const isWhole = group.operation === 'webhook'
  const asked = isWhole ? verifier.verify(bytes, header) : verifier.verifySignature(bytes, header)
  const results = [['with a promise', await asked.then(accepted, refused)]]
  if ('verifySync' in core) {
    const ask = isWhole ? verifier.verifySync : verifier.verifySignatureSync
    results.push(['without a promise', resultOf(core, () => ask(bytes, header))])
  }
  return results

  /** @param {unknown} error */
  function refused(error) {
    return refusal(core, error)
  }
}

/**
 * @param {Core} core
 * @param {() => Proof} prove
 */
function resultOf(core, prove) {
  try {
    return accepted(prove())
  } catch (error) {
    return refusal(core, error)
  }
}

/** @param {Proof} proof */
function accepted({ secretIndex, canonicalForm }) {
  return ['valid', secretIndex, canonicalForm].join(' ').trimEnd()
}

/**
 * @param {Core} core
 * @param {unknown} error
 */
function refusal({ WebhookError }, error) {
  return WebhookError.is(error)
    ? `invalid ${error.code}`
    : `an error that is no WebhookError: ${String(error)}`
}

/** @param {Vector} vector */
function expectedOf({ result, code, secretIndex, canonicalForm }) {
  if (result === 'invalid') return `invalid ${String(code)}`
  return ['valid', secretIndex, canonicalForm].join(' ').trimEnd()
}

/** @param {string} hex */
function fromHex(hex) {
  return Uint8Array.from(hex.match(/../g) ?? [], (digits) => Number.parseInt(digits, 16))
}
