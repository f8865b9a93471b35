import { numberOption, ownOptions } from '../options.js'
import type { Keys } from '../secrets/keys.js'
import { checkSettings, checkVersions, type Settings } from '../settings.js'
import { VERSIONS, type KeyKind, type KeysByKind, type Version } from '../versions.js'
import type { TrialKey } from './case.js'

export interface ExplainOptions {
  /** The webhook signing secret of the account, as it is in use: also with the white space that may be the fault. */
  readonly secret?: Keys
  /** The account API key, as it is in use. */
  readonly apiKey?: Keys
  /** The versions that the verifier requires. Default: v3 where there is a secret, else v1. */
  readonly versions?: readonly Version[]
  /** As the verifier's. Default: 300. */
  readonly toleranceSeconds?: number
  /** As the verifier's. Default: 60. */
  readonly futureToleranceSeconds?: number
  /** The time of arrival in milliseconds, or a clock. Default: now. */
  readonly now?: (() => number) | number
  /** How long the search may take, in milliseconds of CPU. The report says if it was not enough. Default: 50. */
  readonly timeLimitMilliseconds?: number
  /** Of a body with more bytes, only the header is looked at. Default: 64 KiB. */
  readonly bodyLimit?: number
}

const OPTIONS = [
  'secret',
  'apiKey',
  'versions',
  'toleranceSeconds',
  'futureToleranceSeconds',
  'now',
  'timeLimitMilliseconds',
  'bodyLimit',
] as const satisfies readonly (keyof ExplainOptions)[]

/** The options, checked and complete. */
export interface ExplainSettings extends Settings {
  readonly keys: KeysByKind<TrialKey & { readonly material: string }>
  readonly timeLimitMilliseconds: number
  readonly bodyLimit: number
}

/** So that what the verifier would ask is within the budget. */
const MAX_KEYS = 20

/**
 * @throws {TypeError} on a wrong or missing option
 * @throws {RangeError} on a number out of bounds
 */
export function checkExplainOptions(options: ExplainOptions): ExplainSettings {
  const own = ownOptions(options, OPTIONS, 'explain')
  const keys = { secret: keysOf(own.secret, 'secret'), apiKey: keysOf(own.apiKey, 'apiKey') }
  if (keys.secret.length + keys.apiKey.length === 0) {
    throw new TypeError('explain needs "secret", "apiKey" or both: the keys that are in use')
  }
  const versions = checkVersions(own.versions ?? [keys.secret.length > 0 ? 'v3' : 'v1'])
  for (const version of versions) {
    const { key } = VERSIONS[version]
    if (keys[key].length === 0) throw new TypeError(`"${key}" is missing: ${version} is signed with it`)
  }
  return {
    ...checkSettings(verifierOptions(own, versions)),
    keys,
    timeLimitMilliseconds: numberOption(own.timeLimitMilliseconds, 'timeLimitMilliseconds', {
      default: 50,
      isAllowed: (value) => value > 0,
      allowed: 'a number of milliseconds above 0, or Infinity',
    }),
    bodyLimit: numberOption(own.bodyLimit, 'bodyLimit', {
      default: 64 * 1024,
      isAllowed: (value) => value > 0,
      allowed: 'a number of bytes above 0, or Infinity',
    }),
  }
}

function verifierOptions(
  { now, toleranceSeconds, futureToleranceSeconds }: ExplainOptions,
  versions: readonly Version[],
) {
  return {
    versions,
    ...(now !== undefined && { now: typeof now === 'number' ? () => now : now }),
    ...(toleranceSeconds !== undefined && { toleranceSeconds }),
    ...(futureToleranceSeconds !== undefined && { futureToleranceSeconds }),
  }
}

function keysOf(given: unknown, kind: KeyKind): ExplainSettings['keys'][KeyKind] {
  if (given === undefined) return []
  if (!Array.isArray(given)) return [{ label: kind, material: keyOf(given, kind) }]
  if (given.length === 0) throw new TypeError(`"${kind}" is an empty list: it must hold at least one key`)
  if (given.length > MAX_KEYS) {
    throw new RangeError(
      `"${kind}" has more than ${MAX_KEYS} keys: give those that may have signed this delivery`,
    )
  }
  return Array.from(given as unknown[], (key, index) => {
    const label = `${kind}[${index}]`
    return { label, material: keyOf(key, label) }
  })
}

/** Unlike the verifier's, with white space and all: that may be what is wrong. */
function keyOf(key: unknown, label: string): string {
  if (typeof key !== 'string') {
    throw new TypeError(
      `"${label}" must be a string, and is ${key === null ? 'null' : `of type ${typeof key}`}`,
    )
  }
  if (key === '') throw new TypeError(`"${label}" is empty: is the environment variable set?`)
  return key
}
