import { checkIsFitForLog } from '../answers.js'
import { check } from '../broken.js'
import { choose, headerValueOf, optionsOf, rulesOf } from '../delivery.js'
import { part } from '../input.js'
import { mutateHeader } from '../mutate/header.js'
import { mutateJson } from '../mutate/json.js'
import { mutateBytes, mutateSetup } from '../mutate/bytes.js'
import { mutateParts } from '../mutate/parts.js'
import { verdictOn } from '../oracle/verdict.js'

/** @import { SignatureHeaderValue, WebhookError } from '@service-signature/core' */
/** @import { Input } from '../input.js' */
/** @import { Implementation } from '../implementation.js' */
/** @import { Rules } from '../oracle/verdict.js' */
/** @import { Target } from './target.js' */

/** @type {Target} */
export const receiver = {
  name: 'receiver',
  promise: 'the handler runs once for a genuine delivery and never for another; every refusal is told once',
  starts: [
    { header: 't=1743090080,v3={v3}', encoding: 'identity', body: '{}' },
    { header: 't=1743090080,v3={v3}', encoding: 'gzip', body: '{}' },
  ],
  fromVector: ({ header, body, setup }) => ({ header, body, setup }),
  mutate: mutateParts({ header: mutateHeader, encoding: mutateBytes, body: mutateJson, setup: mutateSetup }, [
    'header',
  ]),

  async run(input, trial) {
    const rules = rulesOf(input)
    const { expected, read, encoding, header } = arrivalOf(input, rules, trial.implementation)
    /** @type {WebhookError[]} */
    const rejections = []
    let handled = 0
    const { createReceiver, memoryReplayStore } = trial.implementation
    const receiver = createReceiver({
      ...optionsOf(rules),
      onRejected: (error) => rejections.push(error),
      dispatcher: {
        dispatch() {
          handled++
          return Promise.resolve()
        },
      },
      // A store must remember as long as a delivery is fresh, and nothing remembers for ever.
      ...(rules.toleranceSeconds < Infinity && { replay: memoryReplayStore({ now: () => rules.now }) }),
    })
    const deliver = () =>
      trial.attempt('the receiver', async () => {
        const delivery = receiver.admit({ request: {}, header, encoding })
        const { handle } = await delivery.accept(read)
        return handle(() => undefined)
      })
    const { value: status, error } = await deliver()

    const outcome =
      error === undefined ? 'accepted' : (rejections[0]?.code ?? 'a refusal that nobody was told')
    check(outcome === expected, `the receiver: ${outcome}, and it must be ${expected}`)
    check(handled === (expected === 'accepted' ? 1 : 0), `the handler ran ${handled} times`)
    if (error !== undefined) {
      check(rejections.length === 1, `onRejected was called ${rejections.length} times`)
      checkRefusal(error, trial.implementation)
      return
    }
    check(rejections.length === 0, 'onRejected was called for a delivery that was accepted')
    check(status === 204, `a handled delivery is answered with ${status ?? 'nothing'}`)
    const again = await deliver()
    check(rules.toleranceSeconds === Infinity || again.value === 200, 'a duplicate is not answered with 200')
    check(rules.toleranceSeconds === Infinity || handled === 1, 'the handler ran for a duplicate')
  },
}

/**
 * What arrives, and what must come of it.
 *
 * @param {Input} input
 * @param {Rules} rules
 * @param {Implementation} implementation
 */
function arrivalOf(input, rules, { WebhookError }) {
  const body = part(input, 'body')
  const header = /** @type {SignatureHeaderValue} */ (headerValueOf(input))
  const text = Buffer.from(part(input, 'encoding')).toString()
  const encoding = choose(input, 6, [text, undefined, null, text])
  const isEncoded = !/^\s*(?:identity)?\s*$/i.test(encoding ?? '')
  const isTooLarge = choose(input, 7, [false, false, false, true])
  const verdict = verdictOn(rules, body, header, { needsJson: true })

  const last = 'code' in verdict ? verdict.code : 'accepted'
  const isOfBody = ['accepted', 'ERR_SIGNATURE_MISMATCH', 'ERR_BODY_NOT_JSON'].includes(last)
  const ofBody = isEncoded ? 'ERR_BODY_ENCODED' : isTooLarge ? 'ERR_BODY_TOO_LARGE' : last
  return {
    header,
    encoding,
    expected: isOfBody ? ofBody : last,
    read: () => {
      if (isTooLarge) throw new WebhookError('ERR_BODY_TOO_LARGE')
      return body
    },
  }
}

/**
 * What the caller is told.
 *
 * @param {WebhookError} error
 * @param {Implementation} implementation
 */
function checkRefusal(error, { problemOf }) {
  check(error.status !== 401 || error.code === 'ERR_DELIVERY_REFUSED', 'a 401 tells the caller its reason')
  const problem = problemOf(error)
  check(
    problem.status === error.status && problem.status >= 400,
    `a refusal is answered with ${problem.status}`,
  )
  /** @type {{ title?: unknown }} */
  const { title } = JSON.parse(problem.body)
  check(typeof title === 'string', 'the problem has no title')
  checkIsFitForLog(`${problem.body}${error.message}`, 'the refusal')
}
