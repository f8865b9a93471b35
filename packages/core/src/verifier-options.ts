import type { Keys, SecretOption } from './keys.js'
import { numberOption } from './options.js'
import type { TimeWindow } from './time-window.js'
import { isVersion, VERSION_NAMES, type Version } from './versions.js'

export interface VerifierOptions {
  /** The webhook signing secret, the key of v2 and v3. A list accepts any of its items: `[current, previous]`. */
  readonly secret?: SecretOption
  /** The account API key, the key of v1. */
  readonly apiKey?: SecretOption
  /** Every version listed must be present and match; there is no fallback. Default: `['v3']`. */
  readonly versions?: readonly Version[]
  /** How old a delivery may be. `Infinity` accepts any age, and replays with it. Default: 300. */
  readonly toleranceSeconds?: number
  /** How far ahead the sender's clock may be. Default: 60. */
  readonly futureToleranceSeconds?: number
  /** The clock, in milliseconds. For tests. Default: `Date.now`. */
  readonly now?: () => number
}

/** The same with fixed keys: all that is needed to verify at once. */
export type FixedVerifierOptions = VerifierOptions & { readonly secret?: Keys; readonly apiKey?: Keys }

/** The names of {@link VerifierOptions}, for functions that have options of their own besides. */
export const VERIFIER_OPTIONS = [
  'secret',
  'apiKey',
  'versions',
  'toleranceSeconds',
  'futureToleranceSeconds',
  'now',
] as const satisfies readonly (keyof VerifierOptions)[]

/** The options, checked and complete. Later changes to the caller's object change nothing here. */
export interface VerifierSettings {
  readonly versions: readonly Version[]
  readonly window: TimeWindow
  readonly now: () => number
}

/**
 * @throws {TypeError} on a wrong or missing option
 * @throws {RangeError} on a number out of bounds
 */
export function checkVerifierOptions(options: VerifierOptions): VerifierSettings {
  const versions = checkVersions(options.versions ?? ['v3'])
  const now = options.now ?? Date.now
  if (typeof now !== 'function') throw new TypeError('"now" must be a function that returns milliseconds')
  return {
    versions,
    now: () => checkClock(now()),
    window: {
      // Not 0 for "off": any age is Infinity.
      toleranceSeconds: numberOption(options.toleranceSeconds, 'toleranceSeconds', {
        default: 300,
        isAllowed: (value) => value > 0,
        allowed: 'a number of seconds above 0, or Infinity',
      }),
      futureToleranceSeconds: numberOption(options.futureToleranceSeconds, 'futureToleranceSeconds', {
        default: 60,
        isAllowed: (value) => value >= 0 && value < Infinity,
        allowed: 'a number of seconds, 0 or above',
      }),
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
  if (!Number.isFinite(now)) throw new TypeError('"now" must return a number of milliseconds')
  return now
}
