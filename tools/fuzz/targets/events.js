import { isDeepStrictEqual } from 'node:util'
import { intentEvent, transactionEvent } from '@service-signature/core/testing'
import { check } from '../broken.js'
import { optionsOf, rulesOf, SECRET, T } from '../delivery.js'
import { part } from '../input.js'
import { mutateJson } from '../mutate/json.js'
import { mutateParts } from '../mutate/parts.js'
import { shapeOf } from '../oracle/event.js'
import { hasValue, textOf } from '../oracle/json.js'
import { digestOf } from '../oracle/sign.js'

/** @import { VerifiedWebhook } from '@service-signature/core' */
/** @import { Implementation } from '../implementation.js' */
/** @import { Target } from './target.js' */

const REASON =
  /^(?:is missing|is of no known family|must be an? [a-z ]+, and is (?:null|an array|an object|a (?:string|number|boolean)))$/
const PATH = /^(?:[a-z_]+(?:\.(?:[a-z_]+|[0-9]+))*)?$/

/** @type {Target} */
export const events = {
  name: 'events',
  promise: 'a payload is recognized where it has the fields of S6.6, and handed on as it is in any case',
  starts: [
    { body: JSON.stringify(transactionEvent()) },
    { body: JSON.stringify(intentEvent()) },
    { body: '{"type":"transaction.purchase.successful"}' },
  ],
  fromVector: ({ body }) => ({ body }),
  mutate: mutateParts({ body: mutateJson }, []),

  async run(input, trial) {
    const body = part(input, 'body')
    const rules = { ...rulesOf({}), secrets: [SECRET] }
    const verifier = trial.implementation.createVerifier(optionsOf(rules))
    const header = `t=${T},v3=${digestOf('v3', SECRET, body, String(T)) ?? ''}`
    const { value: webhook, error } = await trial.attempt('verify', () => verifier.verify(body, header))
    if (!hasValue(body)) {
      check(error?.code === 'ERR_BODY_NOT_JSON', 'verify must say ERR_BODY_NOT_JSON of this')
      return
    }
    check(webhook !== undefined, `verify refused a genuine event: ${error?.code ?? ''}`)
    checkEvent(webhook, body)
    await checkDispatch(webhook, trial.implementation)
  },
}

/**
 * @param {VerifiedWebhook} webhook
 * @param {Uint8Array} body
 */
function checkEvent({ event }, body) {
  /** @type {unknown} */
  const payload = JSON.parse(textOf(body) ?? '')
  check(isDeepStrictEqual(event.payload, payload), 'the payload is not what JSON.parse gives')
  const shape = shapeOf(payload)
  check(event.shape === shape, `the event is taken for ${event.shape}, and it must be ${shape}`)
  if (event.shape === 'unrecognized') {
    check(event.issues.length > 0 && event.issues.length <= 20, `there are ${event.issues.length} issues`)
    const odd = event.issues.find(({ path, reason }) => !PATH.test(path) || !REASON.test(reason))
    check(odd === undefined, `an issue says more than where and what: ${JSON.stringify(odd)}`)
  } else {
    check(event.type === event.payload.type, 'the type is not that of the payload')
    check(event.apiVersion === event.payload.api_version, 'apiVersion is not that of the payload')
  }
}

/**
 * One handler is called: that for every recognized event, or that for all others.
 *
 * @param {VerifiedWebhook} webhook
 * @param {Implementation} implementation
 */
async function checkDispatch(webhook, { createDispatcher }) {
  /** @type {string[]} */
  const called = []
  const dispatcher = createDispatcher()
    .on('*', () => void called.push('recognized'))
    .otherwise(() => void called.push('otherwise'))
  await dispatcher.dispatch(webhook)
  const expected = webhook.event.shape === 'unrecognized' ? 'otherwise' : 'recognized'
  check(called.join() === expected, `the dispatcher called ${called.join(', ')}`)
}
