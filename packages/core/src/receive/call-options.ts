import { REPLAY_OPTIONS } from '../replay/replay-options.js'
import { ownOptions } from '../shared/check-options.js'
import { VERIFIER_OPTIONS, type VerifierOptions } from '../verify/verifier-options.js'
import type { ReceivingOptions } from './receiving-verifier.js'

// Not by a spread, which bundlers keep in every bundle.
const RECEIVING_OPTIONS = (VERIFIER_OPTIONS as readonly string[]).concat(REPLAY_OPTIONS)

export function receivingOptions(options: ReceivingOptions, owner: string): ReceivingOptions {
  return ownOptions(options, RECEIVING_OPTIONS, owner)
}

/** @throws {TypeError} also on options that a single call cannot use: for a replay store, and without an event for `expect` */
export function callOptions(options: VerifierOptions, call: 'verify' | 'verifySignature'): VerifierOptions {
  const own = receivingOptions(options, call)
  if (call === 'verifySignature' && own.expect !== undefined) {
    throw new TypeError(
      '"expect" is compared with the event, which verifySignature does not read: use verify',
    )
  }
  const unused = REPLAY_OPTIONS.find((name) => own[name] !== undefined)
  if (unused === undefined) return own
  throw new TypeError(
    `"${unused}" is for createVerifier(options).receive and the adapters: verify alone remembers nothing`,
  )
}
