import { typeName } from './errors.js'
import type { TimeWindow } from './time-window.js'
import { isVersion, VERSION_NAMES, type Version } from './versions.js'

/** One key, or several of which any may have signed: the current one and the previous. */
export type Keys = string | readonly string[]

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
}

const TIME_OPTIONS = ['toleranceSeconds', 'futureToleranceSeconds', 'now'] as const
/** The names of {@link VerifierOptions}, for functions that have options of their own besides. */
export const VERIFIER_OPTIONS = ['secret', 'apiKey', 'versions', ...TIME_OPTIONS] as const

/** The options, checked and complete. Later changes to the caller's object change nothing here. */
export interface VerifierSettings {
  readonly versions: readonly Version[]
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

/**
 * A copy of the caller's options, whose names are all known. No message repeats a value that might be a key.
 *
 * @throws {TypeError} on a name that is not allowed, with the name that was probably meant
 */
export function ownOptions<Options extends object>(
  options: Options,
  allowed: readonly string[],
  owner: string,
): Partial<Options> {
  const given: unknown = options
  if (typeof given !== 'object' || given === null) {
    throw new TypeError(`${owner}: expected an options object, got ${typeName(given)}`)
  }
  for (const name of Object.keys(given)) {
    if (allowed.includes(name)) continue
    const meant = closest(name, allowed)
    throw new TypeError(
      `${owner} has no option ${JSON.stringify(name)}. ` +
        (meant === undefined ? `There are: ${allowed.join(', ')}.` : `Did you mean "${meant}"?`),
    )
  }
  // Nothing comes from a prototype, so that a polluted Object.prototype sets no option.
  return Object.assign(Object.create(null) as Partial<Options>, given)
}

/** The allowed values of a number. */
interface Bounds {
  /** If it is missing, 0 is allowed too. */
  readonly above?: 0
  /** Default: `Infinity`, and that itself is allowed unless the number must be whole. */
  readonly max?: number
  readonly isWhole?: true
}

/** A number within bounds, or the default. @throws {TypeError | RangeError} */
export function numberOption(value: unknown, name: string, usual: number, bounds: Bounds): number {
  if (value === undefined) return usual
  const { above, isWhole = false, max = isWhole ? Number.MAX_SAFE_INTEGER : Infinity } = bounds
  const end = max === Infinity ? ' (or Infinity)' : max < MAX_SECONDS ? `, at most ${max}` : ''
  const start = `"${name}" must be ${isWhole ? 'a whole number ' : ''}`
  const rule = `${start}${above === 0 ? 'greater than 0' : '0 or greater'}${end}`
  if (typeof value !== 'number') throw new TypeError(`${rule}, got ${typeof value}`)
  const isRight = (above === 0 ? value > 0 : value >= 0) && value <= max
  if (isRight && (!isWhole || Number.isInteger(value))) return value
  throw new RangeError(`${rule}, got ${value}`)
}

/** Any number but Infinity: every clock and every store can count a thousand years. */
export const MAX_SECONDS = 1000 * 365 * 86_400

function closest(given: string, names: readonly string[]): string | undefined {
  const plain = given.toLowerCase().replace(/[^a-z]/g, '')
  const related = names.find((name) => {
    const other = name.toLowerCase()
    return plain.length > 2 && (other.startsWith(plain) || plain.startsWith(other))
  })
  if (related !== undefined) return related
  const [best] = names
    .map((name) => ({ name, distance: editDistance(plain, name.toLowerCase()) }))
    .sort((a, b) => a.distance - b.distance)
  return best !== undefined && best.distance <= Math.min(3, plain.length / 2) ? best.name : undefined
}

/** The Levenshtein distance: how many letters to insert, delete or change. */
export function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 0; i < a.length; i++) {
    const next = [i + 1]
    for (let j = 0; j < b.length; j++) {
      next.push(Math.min(row[j]! + (a[i] === b[j] ? 0 : 1), row[j + 1]! + 1, next[j]! + 1))
    }
    row = next
  }
  return row[b.length]!
}
