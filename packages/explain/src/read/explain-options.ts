import type { Version } from '@service-signature/core'
import { numberOption, ownOptions, typeName } from '@service-signature/core/shared/check-options'
import type { KeyKind, KeysByKind } from '@service-signature/core/signature/keys'
import { checkVersions, VERSIONS } from '@service-signature/core/signature/versions'
import {
  checkVerifierOptions,
  VERIFIER_OPTIONS,
  type VerifierOptions,
} from '@service-signature/core/verify/verifier-options'

export interface ExplainOptions extends Pick<VerifierOptions, 'toleranceSeconds' | 'futureToleranceSeconds'> {
  /** The webhook signing secret, exactly as it is in use: white space may be the fault. */
  readonly secret?: string | readonly string[] | undefined
  /** The account API key, exactly as it is in use. */
  readonly apiKey?: string | readonly string[] | undefined
  /** The versions that the verifier requires. Default: v3 if there is a secret, otherwise v1. */
  readonly versions?: readonly Version[]
  /** The time of arrival in milliseconds, or a clock. Default: now. */
  readonly now?: (() => number) | number
  /** How long the search may take, in milliseconds of CPU. The report says if it was not enough. Default: 50. */
  readonly timeLimitMilliseconds?: number
  /** If the body has more bytes, only the header is checked. Default: 64 KiB. */
  readonly bodyLimit?: number
}

const OPTIONS = [
  ...VERIFIER_OPTIONS.filter((name) => name !== 'expect'),
  'timeLimitMilliseconds',
  'bodyLimit',
]

/** A given key, or a variant of it that a rule makes. */
export interface CandidateKey {
  /** Its name in the options: `secret`, `apiKey[1]`. */
  readonly label: string
  readonly material: string | Uint8Array
}

export interface ExplainSettings extends ReturnType<typeof checkVerifierOptions> {
  readonly keys: KeysByKind<CandidateKey & { readonly material: string }>
  readonly timeLimitMilliseconds: number
  readonly bodyLimit: number
}

/** Limited so that the HMACs of the verifier itself stay within the limit of one explanation. */
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
  const { now } = own
  return {
    ...checkVerifierOptions(
      Object.assign(own, { versions, ...(typeof now === 'number' && { now: () => now }) }),
    ),
    keys,
    timeLimitMilliseconds: numberOption(own, 'timeLimitMilliseconds', 50, { above: 0 }),
    bodyLimit: numberOption(own, 'bodyLimit', 64 * 1024, { above: 0 }),
  }
}

function keysOf(given: unknown, kind: KeyKind): ExplainSettings['keys'][KeyKind] {
  if (given === undefined) return []
  if (!Array.isArray(given)) return [keyOf(given, kind)]
  if (given.length === 0) throw new TypeError(`"${kind}" is an empty list: it must contain at least one key`)
  if (given.length > MAX_KEYS)
    throw new RangeError(
      `"${kind}" has more than ${MAX_KEYS} keys: give those that may have signed this delivery`,
    )
  return Array.from(given as unknown[], (key, index) => keyOf(key, `${kind}[${index}]`))
}

/** Unlike the verifier, it accepts white space, which may be the fault. */
function keyOf(key: unknown, label: string) {
  if (typeof key !== 'string') throw new TypeError(`"${label}" must be a string, got ${typeName(key)}`)
  if (key === '') throw new TypeError(`"${label}" is empty: is the environment variable set?`)
  return { label, material: key }
}
