import { secret } from '../truth.js'
import { endpointOf, v3Of } from '../recipe.js'
import type { WeakEndpoint } from './weak-endpoint.js'

const KEYS: readonly (readonly [what: string, key: string | Buffer, found: readonly string[]])[] = [
  ['the empty one', '', ['key that is empty', 'key that was decoded']],
  ['the word undefined', String(undefined), ['key that is missing']],
  ['the word null', String(null), ['key that is missing']],
  ['what a promise of it prints as', '[object Promise]', ['key that is missing']],
  ['the bytes that it is in base64', Buffer.from(secret, 'base64'), ['key that was decoded']],
  ['itself with a line break', `${secret}\n`, ['key with a line break']],
  ['one that was published', 'a key that was never issued', ['key of somebody else']],
]

/** Endpoints that accept another key besides the secret. */
export const keys: readonly WeakEndpoint[] = KEYS.map(([what, key, found]) => ({
  what: `accepts another key besides the secret: ${what}`,
  listener: endpointOf({
    vouches: ({ t, v3 }, body) => v3 === v3Of(body, t!) || v3 === v3Of(body, t!, key),
  }),
  found: { accepts: found },
}))
