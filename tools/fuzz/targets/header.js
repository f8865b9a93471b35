import { isDeepStrictEqual } from 'node:util'
import { checkAnswer } from '../answers.js'
import { check } from '../broken.js'
import { headerValueOf, optionsOf, rulesOf } from '../delivery.js'
import { part } from '../input.js'
import { mutateHeader } from '../mutate/header.js'
import { mutateParts } from '../mutate/parts.js'
import { mutateBytes, mutateSetup } from '../mutate/bytes.js'
import { readHeader, verdictOn } from '../oracle/verdict.js'

/** @import { SignatureHeaderValue } from '@service-signature/core' */
/** @import { Target } from './target.js' */

/** @type {Target} */
export const header = {
  name: 'header',
  promise: 'the header is read by the grammar of S6.2, and the verifier answers as an independent one does',
  starts: [
    { header: 't=1743090080,v1={v1},v2={v2},v3={v3}', body: '{"a":1}' },
    { header: 'v3={v3},t=1743090080', body: '' },
  ],
  fromVector: ({ header, body, setup }) => ({ header, body, setup }),
  mutate: mutateParts({ header: mutateHeader, setup: mutateSetup, body: mutateBytes }, ['header', 'header']),

  async run(input, trial) {
    const { createVerifier, parseSignatureHeader, formatSignatureHeader } = trial.implementation
    // Hosts in JavaScript pass what they like.
    const value = /** @type {SignatureHeaderValue} */ (headerValueOf(input))

    const elements = readHeader(value)
    const parsed = await trial.attempt('parseSignatureHeader', () => parseSignatureHeader(value))
    if (typeof elements === 'string') {
      check(parsed.error?.code === elements, `parseSignatureHeader must refuse this with ${elements}`)
    } else {
      const { t: timestamp, ...signatures } = elements
      check(
        isDeepStrictEqual(parsed.value, { timestamp, signatures }),
        'parseSignatureHeader reads something else than stands there',
      )
    }
    if (parsed.value !== undefined) {
      const again = parseSignatureHeader(formatSignatureHeader(parsed.value))
      check(isDeepStrictEqual(again, parsed.value), 'what formatSignatureHeader writes reads differently')
    }

    const rules = rulesOf(input)
    const body = part(input, 'body')
    const verifier = createVerifier(optionsOf(rules))
    for (const call of /** @type {const} */ (['verifySignature', 'verify'])) {
      const answer = await trial.attempt(call, () => verifier[call](body, value))
      checkAnswer(call, answer, verdictOn(rules, body, value, { needsJson: call === 'verify' }), rules, body)
    }
    // Not there on edge runtimes.
    if (!('verifySync' in verifier)) return
    const atOnce = await trial.attempt('verifySync', () => verifier.verifySync(body, value))
    checkAnswer('verifySync', atOnce, verdictOn(rules, body, value, { needsJson: true }), rules, body)
  },
}
