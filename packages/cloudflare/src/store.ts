import type { ReplayClaim, ReplayStoreOptions } from '@service-signature/core'
import { numberOption } from '@service-signature/core/shared/check-options'
import { checkStoreOptions } from '@service-signature/core/shared/store-options'
import { within } from '@service-signature/core/shared/within'
import { FailureError, StoredKeys, storeFailureOf, type SharedReplayStore } from '@service-signature/inbox'
import { checkBinding, type Namespace } from './driver.js'

export interface DurableObjectReplayStoreOptions extends ReplayStoreOptions {
  /** How long an object may take to answer. Default: 5. */
  readonly timeoutSeconds?: number
}

const SETUP =
  'The Worker must export ReplayObject, and wrangler.jsonc must have ' +
  '"durable_objects": { "bindings": [{ "name": "REPLAY", "class_name": "ReplayObject" }] } and ' +
  '"migrations": [{ "tag": "v1", "new_sqlite_classes": ["ReplayObject"] }].'

const TIME_LIMIT = '"timeoutSeconds" sets the limit.'

/** The answers of `ReplayObject`. */
const ANSWERS = ['new', 'in-progress', 'done', 'ended']

/**
 * Remembers deliveries in Durable Objects, one for each. Each step is one request to the object.
 *
 * @param namespace the binding of the class `ReplayObject`, which the Worker must export; each endpoint needs its own
 *
 * @example
 * export { ReplayObject } from '@service-signature/cloudflare'
 * const replay = durableObjectReplayStore(env.REPLAY)
 * const handle = serviceSignature({ secret: env.WEBHOOK_SECRET, replay }, handler)
 *
 * @throws {TypeError} if the binding is missing, or on an option that is misspelled or of the wrong type
 * @throws {RangeError} on a time out of bounds
 */
export function durableObjectReplayStore<Id>(
  namespace: Namespace<Id>,
  options: DurableObjectReplayStoreOptions = {},
): SharedReplayStore {
  const expected = 'durableObjectReplayStore: expected a namespace of Durable Objects, such as env.REPLAY'
  checkBinding(namespace, ['idFromName', 'get'], `${expected}. ${SETUP}`)
  const own = checkStoreOptions(options, ['timeoutSeconds'], 'durableObjectReplayStore')
  const bounds = { above: 0, max: 3600 } as const
  const timeoutSeconds = numberOption(own, 'timeoutSeconds', 5, bounds)

  const ask = async (step: string, key: string, token: string, seconds = 0): Promise<string> => {
    const query = new URLSearchParams({ token, seconds: String(seconds) }).toString()
    const object = namespace.get(namespace.idFromName(key))
    const asked = object.fetch(`https://replay-object/${step}?${query}`)
    const answer = await within(
      timeoutSeconds,
      asked.then((response) => response.text()),
      () => new FailureError({ what: `there was no answer within ${timeoutSeconds} s`, fix: TIME_LIMIT }),
    )
    if (ANSWERS.includes(answer)) return answer
    throw new FailureError({ what: 'the binding is not of the class ReplayObject', fix: SETUP })
  }
  return new StoredKeys(
    {
      claim: (key, token) => ask('claim', key, token, own.leaseSeconds) as Promise<ReplayClaim['status']>,
      commit: (key, token) => ask('commit', key, token, own.ttlSeconds),
      release: (key, token) => ask('release', key, token),
      refusalOf: (error) => storeFailureOf(error, {}),
      releasesAtOnce: true,
    },
    own,
  )
}
