import type { ReplayClaim } from '@service-signature/core'
import { checkStoreOptions, numberOption, type ReplayStoreOptions } from '@service-signature/core/receiver'
import { answered, checkBinding, RemoteKeys, type Namespace, type SharedReplayStore } from './bindings.js'

export interface DurableObjectReplayStoreOptions extends ReplayStoreOptions {
  /** How long an object may take to answer. Default: 5. */
  readonly timeoutSeconds?: number
}

const SETUP =
  'The Worker must export ReplayObject, and wrangler.jsonc must have ' +
  '"durable_objects": { "bindings": [{ "name": "REPLAY", "class_name": "ReplayObject" }] } and ' +
  '"migrations": [{ "tag": "v1", "new_sqlite_classes": ["ReplayObject"] }]'

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
  const timeoutSeconds = numberOption(own.timeoutSeconds, 'timeoutSeconds', 5, bounds)

  const ask = async (step: string, key: string, token: string, seconds = 0): Promise<string> => {
    const query = new URLSearchParams({ token, seconds: String(seconds) }).toString()
    const object = namespace.get(namespace.idFromName(key))
    const asked = object.fetch(`https://replay-object/${step}?${query}`)
    const answer = await answered(
      timeoutSeconds,
      asked.then((response) => response.text()),
    )
    if (ANSWERS.includes(answer)) return answer
    throw new Error('The answer is not one of a ReplayObject')
  }
  return new RemoteKeys(
    {
      claim: (key, token) => ask('claim', key, token, own.leaseSeconds) as Promise<ReplayClaim['status']>,
      commit: (key, token) => ask('commit', key, token, own.ttlSeconds),
      release: (key, token) => ask('release', key, token),
    },
    own,
    () => `the Durable Object failed. ${SETUP}`,
  )
}
