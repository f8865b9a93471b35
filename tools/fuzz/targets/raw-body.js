import { checkAnswer } from '../answers.js'
import { check } from '../broken.js'
import { API_KEY, choose, formOf, optionsOf, rulesOf, SECRET, T } from '../delivery.js'
import { part } from '../input.js'
import { mutateJson } from '../mutate/json.js'
import { mutateBytes, mutateSetup } from '../mutate/bytes.js'
import { mutateParts, withTwin } from '../mutate/parts.js'
import { textOf } from '../oracle/json.js'
import { saysTheSame } from '../oracle/same-values.js'
import { digestOf, withoutSpaces } from '../oracle/sign.js'
import { verdictOn } from '../oracle/verdict.js'

/** @import { WebhookBody } from '@service-signature/core' */
/** @import { Input } from '../input.js' */
/** @import { Version } from '../oracle/sign.js' */
/** @import { Target } from './target.js' */

/** @type {Target} */
export const rawBody = {
  name: 'raw-body',
  promise: 'a body is accepted under v3 only byte for byte, under v1 and v2 only if it says the same',
  starts: [
    { body: '{"b": 10.0, "a": "x y"}', sent: '{"b": 10.0, "a": "x y"}' },
    { body: '\u00ef\u00bb\u00bf{}', sent: '\u00ff\u00fe' },
    { body: '', sent: '' },
  ],
  fromVector: ({ body, setup }) => ({ body, sent: body, setup }),
  mutate: withTwin(
    'body',
    'sent',
    mutateParts(
      {
        body: (bytes, other, random) =>
          random.oneIn(2) ? mutateBytes(bytes, other, random) : mutateJson(bytes, other, random),
        setup: mutateSetup,
      },
      ['body', 'body'],
    ),
  ),

  async run(input, trial) {
    const body = part(input, 'body')
    const sent = part(input, 'sent')
    const { createVerifier } = trial.implementation
    for (const version of /** @type {const} */ (['v1', 'v2', 'v3'])) {
      const digest = digestOf(version, version === 'v1' ? API_KEY : SECRET, body, String(T), formOf(input))
      if (digest === undefined) continue
      const header = `t=${T},${version}=${digest}`
      const rules = { ...rulesOf(input), secrets: [SECRET], versions: [version], now: T * 1000 }
      const verifier = createVerifier(optionsOf(rules))
      const call = `verifySignature with ${version}`
      const answer = await trial.attempt(call, () => verifier.verifySignature(passed(sent, input), header))
      if (answer.error === undefined) checkEquivalence(version, body, sent)
      checkAnswer(call, answer, verdictOn(rules, sent, header, { needsJson: false }), rules, sent)
    }
  },
}

/**
 * That it is right by what the version promises, and not only by its digest.
 *
 * @param {Version} version
 * @param {Uint8Array} signed
 * @param {Uint8Array} sent
 */
function checkEquivalence(version, signed, sent) {
  const isSame =
    version === 'v2'
      ? saysTheSame(signed, sent)
      : version === 'v1'
        ? Buffer.compare(withoutSpaces(signed), withoutSpaces(sent)) === 0
        : Buffer.compare(signed, sent) === 0
  check(isSame, `verifySignature with ${version} accepted a body that was not signed`)
}

/**
 * The same bytes in one of the ways in which a host hands them over.
 *
 * @param {Uint8Array} bytes
 * @param {Input} input
 * @returns {WebhookBody}
 */
function passed(bytes, input) {
  const inLarger = new Uint8Array(bytes.length + 2).fill(0x20)
  inLarger.set(bytes, 1)
  const text = textOf(bytes)
  const isWholeText = text !== undefined && Buffer.compare(Buffer.from(text), bytes) === 0
  return choose(input, 6, [
    bytes,
    Buffer.from(bytes),
    inLarger.subarray(1, bytes.length + 1),
    Uint8Array.from(bytes).buffer,
    isWholeText ? text : bytes,
  ])
}
