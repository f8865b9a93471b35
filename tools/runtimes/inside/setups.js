// The endpoints that are put to the test, by their names.
import * as core from '@service-signature/core'
import { explain } from '@service-signature/core/explain'
import { pause } from './pause.js'

/**
 * @typedef {import('@service-signature/fetch').ServiceSignatureOptions & { dispatcher?: undefined }} Options
 * @typedef {import('@service-signature/core').ReplayStore} ReplayStore
 * @typedef {import('@service-signature/core').VerifiedWebhook} VerifiedWebhook
 *
 * @typedef {object} Seen what became of the deliveries of one endpoint
 * @property {number} arrived how many requests came
 * @property {{ shape: string, type: string | undefined, sha256: string }[]} handled
 * @property {string[]} codes of the refusals, in their order
 * @property {string[]} told what the replay store was told
 * @property {string[]} findings of `explain`
 * @property {boolean} isFinished whether a handler that waits may go on
 *
 * @typedef {object} Setup
 * @property {Options} [options]
 * @property {(webhook: VerifiedWebhook) => unknown} [dispatch] in the place of a handler
 * @property {() => Response | undefined | Promise<Response | undefined>} [answer] of the handler; else `handled`
 * @property {boolean} [isConsumed] whether somebody reads the body before
 */

/** The clock and the keys of public code's known answer. */
const secret = 'test_signature_key'
const apiKey = 'test_api_key'
const now = () => 1743090080000

/**
 * @param {string} name
 * @param {Seen} seen
 * @param {string} service where the payment service is, for the setup that asks it for the secret
 * @returns {Required<Pick<Setup, 'options'>> & Setup}
 */
export function setUp(name, seen, service) {
  const setup = SETUPS[name]
  if (setup === undefined) throw new TypeError(`There is no setup "${name}"`)
  const { options, ...others } = setup(seen, service)
  return { ...others, options: { secret, now, ...options } }
}

/** @type {Readonly<Record<string, (seen: Seen, service: string) => Setup>>} */
const SETUPS = {
  plain: () => ({}),
  silent: () => ({ answer: () => undefined }),
  small: () => ({ options: { bodyLimit: 2048 } }),
  hasty: () => ({ options: { bodyTimeoutSeconds: 0.2 } }),
  rotating: () => ({ options: { secret: ['the_next_key', secret] } }),
  'all-versions': () => ({ options: { apiKey, versions: ['v1', 'v2', 'v3'] } }),
  consumed: () => ({ isConsumed: true }),
  dispatching: () => ({ dispatch: () => undefined }),
  remembering: (seen) => ({ options: { replay: watched(seen) } }),
  throwing: (seen) => ({ options: { replay: watched(seen) }, answer: () => failAtFirst(seen) }),
  declining: (seen) => ({ options: { replay: watched(seen) }, answer: () => declineAtFirst(seen) }),
  waiting: (seen) => ({ options: { replay: watched(seen) }, answer: () => waitUntilFinished(seen) }),
  fetching: (_seen, service) => ({ options: { secret: core.fetchSecret({ baseUrl: service, apiKey }) } }),
  explaining: (seen) => ({
    options: {
      onRejected: async (_error, given) => {
        const { hypotheses } = await given.explain()
        seen.findings.push(hypotheses.map(({ names }) => names.join(' and ')).join())
      },
      // Edge runtimes do not load it by themselves.
      ...(!('verifySync' in core) && { explain }),
    },
  }),
}

/** @param {Seen} seen */
function failAtFirst({ handled }) {
  if (handled.length === 1) throw new Error('the handler fails, as it should')
  return new Response('handled')
}

/** @param {Seen} seen */
function declineAtFirst({ handled }) {
  return handled.length === 1 ? new Response('not now', { status: 503 }) : new Response('handled')
}

/** @param {Seen} seen */
async function waitUntilFinished(seen) {
  while (!seen.isFinished) await pause()
  return new Response('handled')
}

/**
 * A memory, and what it was told.
 *
 * @param {Seen} seen
 * @returns {ReplayStore}
 */
function watched({ told }) {
  /** @type {ReplayStore} */
  const store = core.memoryReplayStore()
  return {
    claim: (key) => store.claim(key),
    async commit(key, token) {
      await store.commit(key, token)
      told.push('committed')
    },
    async release(key, token) {
      await store.release(key, token)
      told.push('released')
    },
  }
}
