import { check } from './broken.js'
import { API_KEY, SECRET } from './delivery.js'

/** @import { SignatureProof } from '@service-signature/core' */
/** @import { Answer } from './trial.js' */
/** @import { Rules, Verdict } from './oracle/verdict.js' */

/**
 * Holds an answer of the verifier against the second opinion.
 *
 * @param {string} call
 * @param {Answer<SignatureProof>} answer
 * @param {Verdict} verdict
 * @param {Rules} rules
 * @param {Uint8Array} body
 */
export function checkAnswer(call, { value, error }, verdict, rules, body) {
  const expected = 'code' in verdict ? verdict.code : 'accepted'
  const actual = error === undefined ? 'accepted' : error.code
  check(actual === expected, `${call}: ${actual}, and it must be ${expected}`)
  if (error !== undefined) checkIsFitForLog(`${error.message}${error.stack ?? ''}`, call)
  if (value === undefined || 'code' in verdict) return
  check(value.timestamp === Number(verdict.timestamp), `${call} reports another timestamp than was signed`)
  check(value.signedAt.getTime() === value.timestamp * 1000, `${call} reports a wrong signedAt`)
  check(value.secretIndex === verdict.secretIndex, `${call} reports secretIndex ${value.secretIndex}`)
  check(
    value.canonicalForm === verdict.canonicalForm,
    `${call} reports the form ${value.canonicalForm ?? 'none'}, and it must be ${verdict.canonicalForm ?? 'none'}`,
  )
  check(value.versions.join() === rules.versions.join(), `${call} reports other versions than were required`)
  check(Buffer.compare(value.rawBody, body) === 0, `${call} reports another body than was signed`)
}

const SENSITIVE = [SECRET, API_KEY].flatMap((key) =>
  ['utf8', 'base64', 'hex'].map((encoding) =>
    Buffer.from(key)
      .toString(/** @type {BufferEncoding} */ (encoding))
      .replace(/=+$/, ''),
  ),
)

/**
 * @param {string} text that may end up in a log
 * @param {string} call that made it
 */
export function checkIsFitForLog(text, call) {
  check(!SENSITIVE.some((key) => text.includes(key)), `${call} shows a key`)
}
