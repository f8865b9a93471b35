import { clockOption, MAX_SECONDS, numberOption } from '../shared/check-options.js'
import { type Keys, mayBeSeveral, type SecretContext, type SecretOption } from '../signature/keys.js'
import type { Version } from '../signature/names.js'
import { checkVersions } from '../signature/versions.js'
import { Expectation, type ExpectedDelivery, type ExpectOption } from './expect.js'

/** `Context` is what a function gets. */
export interface VerifierOptions<Context = SecretContext> {
  // Also undefined, so that `secret: process.env.WEBHOOK_SECRET` compiles. A missing secret is an error at start.

  /** The webhook signing secret, the key of v2 and v3. A list accepts any of its items: `[current, previous]`. */
  readonly secret?: SecretOption<Context> | undefined
  /** The account API key, the key of v1. */
  readonly apiKey?: SecretOption<Context> | undefined
  /** Every version listed must be present and match; there is no fallback. Default: `['v3']`. */
  readonly versions?: readonly Version[]
  /**
   * Whose deliveries are accepted: the signature proves neither the account nor the mode, because all accounts of an
   * organization share its secret. A function gets the request. Default: those of every account, in both modes.
   */
  readonly expect?: ExpectOption<Context> | undefined
  /** How old a delivery may be. `Infinity` accepts any age, and replays with it. Default: 300. */
  readonly toleranceSeconds?: number
  /** How far ahead the sender's clock may be. Default: 60. */
  readonly futureToleranceSeconds?: number
  /** The clock, in milliseconds. For tests. Default: `Date.now`. */
  readonly now?: () => number
}

/** The same with fixed keys: all that is needed to verify at once. */
export type FixedVerifierOptions = VerifierOptions & {
  readonly secret?: Keys | undefined
  readonly apiKey?: Keys | undefined
  readonly expect?: ExpectedDelivery | undefined
}

const TIME_OPTIONS = ['toleranceSeconds', 'futureToleranceSeconds', 'now'] as const
export const VERIFIER_OPTIONS = ['secret', 'apiKey', 'versions', 'expect', ...TIME_OPTIONS] as const

/** The options but for the keys, checked and complete. Later changes to the caller's object change nothing here. */
export type VerifierSettings = ReturnType<typeof checkVerifierOptions>

// Frozen, because a verifier and each of its webhooks show it to the caller.
const DEFAULT_VERSIONS: readonly Version[] = Object.freeze(['v3'] as const)

export function checkVerifierOptions(options: VerifierOptions) {
  const versions = options.versions === undefined ? DEFAULT_VERSIONS : checkVersions(options.versions)
  const now = clockOption(options.now)
  return {
    versions,
    expectation: checkExpectation(options, versions),
    now: () => checkClock(now()),
    window: {
      // Not 0 for "off": any age is Infinity.
      toleranceSeconds: numberOption(options, 'toleranceSeconds', 300, { above: 0 }),
      futureToleranceSeconds: numberOption(options, 'futureToleranceSeconds', 60, { max: MAX_SECONDS }),
    },
  }
}

function checkExpectation(options: VerifierOptions, versions: readonly Version[]): Expectation | undefined {
  const { expect, apiKey } = options
  if (expect === undefined) return undefined
  if (!versions.includes('v1')) return new Expectation(expect, 'none')
  return new Expectation(expect, mayBeSeveral(apiKey) ? 'several' : 'one')
}

/** Without a number, every comparison with the window would be false: fail closed. */
function checkClock(now: number): number {
  if (!Number.isFinite(now)) throw new TypeError(`"now" must return a number of milliseconds, got ${now}`)
  return now
}
