import { functionOption } from './check-options.js'

/** @throws {TypeError} if it is given and not a function */
export function checkReplayKeyOption(keyOf: unknown): void {
  functionOption(keyOf, 'replayKey', ' that makes a key of a delivery')
}

/** @throws {TypeError} on what `replayKey` must not return */
export function checkReplayKey(key: unknown): string {
  // A store that writes UTF-8 cannot distinguish unpaired surrogates.
  if (typeof key === 'string' && key !== '' && !/\p{Surrogate}/u.test(key)) return key
  throw new TypeError('"replayKey" must return a string that is not empty and has no unpaired surrogates')
}
