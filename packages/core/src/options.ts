import { MAX_SECONDS, numberOption } from './check-options.js'
import { typeName } from './errors.js'
import { Expectation, type ExpectedDelivery, type ExpectOption } from './events/expect.js'
import type { TimeWindow } from './time-window.js'
import { isVersion, VERSION_NAMES, type Version } from './versions.js'

/**
 * One key, or several of which any may have signed: the current one and the previous. An item that is undefined compiles, so
 * that variables of the environment can be listed, and is an error at start.
 */
export type Keys = string | readonly (string | undefined)[]

/** The request, for a source of keys of an endpoint that serves several accounts. */
export interface SecretContext<Request = unknown> {
  /** The request as the host gives it. Passed on by the adapters, or as the third argument of `verify`. */
  readonly request?: Request
}

/** Where keys come from when they are not fixed: the payment service, a vault, a database. */
export interface SecretSource {
  get(): Keys | Promise<Keys>
  /**
   * Called when a signature does not match, because the secret may have been rotated; the delivery is tried again if
   * the keys changed. Any sender can cause it with a wrong signature, so a source must limit how often it really looks.
   */
  refresh?(): Keys | Promise<Keys>
  /**
   * How many times the keys were fetched. If it changes while a delivery waits for `get`, the keys are newer than the
   * delivery, and `refresh` is not called for it.
   */
  readonly fetchCount?: number
}

/**
 * The types of `secret` and `apiKey`: fixed keys, a source, or a function that returns either for a request. If it
 * returns undefined or null, there is no such account, and the delivery is refused with `ERR_SECRET_UNKNOWN`.
 *
 * The account must come from what the operator set up, such as the route, and never from the body: before the
 * signature is verified, the sender decides what the body says, so a forger could choose the key.
 */
export type SecretOption<Context = SecretContext> =
  Keys | SecretSource | ((context: Context) => AccountKeys | Promise<AccountKeys>)

type AccountKeys = Keys | SecretSource | null | undefined

export interface VerifierOptions {
  // Also undefined: `secret: process.env.WEBHOOK_SECRET` must compile under exactOptionalPropertyTypes. A missing secret is
  // an error at start.

  /** The webhook signing secret, the key of v2 and v3. A list accepts any of its items: `[current, previous]`. */
  readonly secret?: SecretOption | undefined
  /** The account API key, the key of v1. */
  readonly apiKey?: SecretOption | undefined
  /** Every version listed must be present and match; there is no fallback. Default: `['v3']`. */
  readonly versions?: readonly Version[]
  /**
   * Whose deliveries are accepted: the signature proves neither the account nor the mode, because all accounts of an
   * organization share its secret. A function gets the request. Default: those of every account, in both modes.
   */
  readonly expect?: ExpectOption<SecretContext> | undefined
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
/** The names of {@link VerifierOptions}, for functions that have options of their own besides. */
export const VERIFIER_OPTIONS = ['secret', 'apiKey', 'versions', 'expect', ...TIME_OPTIONS] as const

/** The options, checked and complete. Later changes to the caller's object change nothing here. */
export interface VerifierSettings {
  readonly versions: readonly Version[]
  readonly expectation: Expectation | undefined
  readonly window: TimeWindow
  readonly now: () => number
}

// Frozen, because a verifier and each of its webhooks show it to the caller.
const DEFAULT_VERSIONS: readonly Version[] = Object.freeze(['v3'] as const)

/** @throws {TypeError | RangeError} on an option that is wrong, missing or out of bounds */
export function checkVerifierOptions(options: VerifierOptions): VerifierSettings {
  const versions = options.versions === undefined ? DEFAULT_VERSIONS : checkVersions(options.versions)
  const { now = Date.now, toleranceSeconds: tolerance, futureToleranceSeconds: ahead } = options
  if (typeof now !== 'function')
    throw new TypeError(`"now" must be a function that returns milliseconds, got ${typeName(now)}`)
  return {
    versions,
    expectation: options.expect === undefined ? undefined : new Expectation(options.expect, versions),
    now: () => checkClock(now()),
    window: {
      // Not 0 for "off": any age is Infinity.
      toleranceSeconds: numberOption(tolerance, 'toleranceSeconds', 300, { above: 0 }),
      futureToleranceSeconds: numberOption(ahead, 'futureToleranceSeconds', 60, { max: MAX_SECONDS }),
    },
  }
}

/** @throws {TypeError} unless it is a list of known versions, each once */
export function checkVersions(versions: unknown): readonly Version[] {
  if (!Array.isArray(versions) || versions.length === 0) {
    throw new TypeError(`"versions" must be a list of one or more of ${VERSION_NAMES.join(', ')}`)
  }
  const list: unknown[] = [...(versions as unknown[])]
  if (!list.every(isVersion)) {
    throw new TypeError(`"versions" contains an unknown version; expected ${VERSION_NAMES.join(', ')}`)
  }
  if (new Set(list).size !== list.length) throw new TypeError('"versions" contains a duplicate')
  return Object.freeze(list)
}

/** Without a number, every comparison with the window would be false: fail closed. */
function checkClock(now: number): number {
  if (!Number.isFinite(now)) throw new TypeError(`"now" must return a number of milliseconds, got ${now}`)
  return now
}
