import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'

/**
 * @typedef {import('../deliveries.js').Delivery} Delivery
 * @typedef {import('../remote.js').Remote} Remote
 *
 * @typedef {object} Case
 * @property {string} name
 * @property {string} [setup] of `inside/setups.js`; else `plain`
 * @property {'known' | 'unknown' | 'held'} [account] at the payment service; else `known`
 * @property {string} [takes] what not every runtime can do
 * @property {number | 'any'} [handled] how often the handler is to run, in all
 * @property {readonly string[]} [codes] of all refusals, in their order
 * @property {(remote: Remote) => Promise<void>} play
 */

/** The statuses that the design promises, written down once more. */
const STATUS = /** @type {const} */ ({
  ERR_SIGNATURE_MISSING: 401,
  ERR_SIGNATURE_MALFORMED: 400,
  ERR_SIGNATURE_VERSION_MISSING: 401,
  ERR_TIMESTAMP_TOO_OLD: 401,
  ERR_TIMESTAMP_IN_FUTURE: 401,
  ERR_SIGNATURE_MISMATCH: 401,
  ERR_BODY_TOO_LARGE: 413,
  ERR_BODY_ENCODED: 415,
  ERR_BODY_INCOMPLETE: 400,
  ERR_BODY_CONSUMED: 500,
  ERR_BODY_TIMEOUT: 408,
  ERR_BODY_NOT_JSON: 400,
  ERR_SECRET_UNAVAILABLE: 503,
  ERR_DELIVERY_IN_PROGRESS: 409,
})

/** @typedef {keyof typeof STATUS} Code */

/** The answer to every refusal, by its status. */
const BODIES = /** @type {const} */ ({
  400: '{"title":"Bad Request","status":400}',
  401: '{"title":"Unauthorized","status":401}',
  408: '{"title":"Request Timeout","status":408}',
  409: '{"title":"Conflict","status":409}',
  413: '{"title":"Content Too Large","status":413}',
  415: '{"title":"Unsupported Media Type","status":415}',
  500: '{"title":"Internal Server Error","status":500}',
  503: '{"title":"Service Unavailable","status":503}',
})

/**
 * One delivery that reaches the handler, with the bytes that were sent.
 *
 * @param {string} name
 * @param {Delivery} delivery
 * @param {{ setup?: string, status?: number, body?: string }} [expected]
 * @returns {Case}
 */
export function accepted(name, delivery, { setup = 'plain', status = 200, body = 'handled' } = {}) {
  return {
    name,
    setup,
    handled: 1,
    async play(remote) {
      const answer = await remote.send(delivery)
      assert.deepEqual({ status: answer.status, body: answer.body }, { status, body })
      const { handled } = await remote.seen()
      assert.equal(handled[0]?.sha256, createHash('sha256').update(delivery.body).digest('hex'))
    },
  }
}

/**
 * One delivery that is refused.
 *
 * @param {string} name
 * @param {Delivery} delivery
 * @param {Code} code
 * @param {string} [setup]
 * @returns {Case}
 */
export function refused(name, delivery, code, setup = 'plain') {
  return {
    name,
    setup,
    codes: [code],
    async play(remote) {
      assertRefusal(await remote.send(delivery), code)
    },
  }
}

/**
 * What holds of the answer to every refusal.
 *
 * @param {import('../wire.js').Answer} answer
 * @param {Code} code
 */
export function assertRefusal({ status, headers, body }, code) {
  assert.equal(status, STATUS[code])
  assert.equal(headers['content-type'], 'application/problem+json')
  // RFC 9110, 11.6.1.
  assert.equal(headers['www-authenticate'], status === 401 ? 'Service-Signature' : undefined)
  assert.equal(headers['retry-after'], status === 409 || status === 503 ? '10' : undefined)
  assert.equal(body, BODIES[STATUS[code]])
}

/**
 * @param {import('../wire.js').Answer} answer
 */
export function assertHandled({ status, body }) {
  assert.deepEqual({ status, body }, { status: 200, body: 'handled' })
}
