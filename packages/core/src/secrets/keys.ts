import { toFingerprint, type Digest } from '../digest/digest.js'

/** One key, or several of which any may have signed: the current one and the previous. */
export type Keys = string | readonly string[]

/** What a source of keys may look at, for an endpoint that serves several accounts. */
export interface SecretContext {
  /** The request as the host gives it. Passed on by the adapters, or as the third argument of `verify`. */
  readonly request?: unknown
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
 * What `secret` and `apiKey` may be: fixed keys, a source, or a function that returns either for a request. If it returns
 * undefined or null, there is no such account, and the delivery is refused with `ERR_SECRET_UNKNOWN`.
 *
 * The account must come from what the operator set up, such as the route, and never from the body: before the
 * signature is verified, the body says what its sender wants, and with it a forger would choose the key.
 */
export type SecretOption =
  Keys | SecretSource | ((context: SecretContext) => AccountKeys | Promise<AccountKeys>)

type AccountKeys = Keys | SecretSource | null | undefined

/** The keys as a list. @throws {TypeError} that says why they are none, in words that do not show them */
export function checkKeys(keys: unknown, name: string): readonly string[] {
  if (!Array.isArray(keys)) return [checkKey(keys, name)]
  if (keys.length === 0) throw new TypeError(`"${name}" is an empty list: it must hold at least one key`)
  return Array.from(keys, (key, index) => checkKey(key, `${name}[${index}]`))
}

/** One key, with the name under which it was given. */
export function checkKey(key: unknown, name: string): string {
  if (typeof key !== 'string') {
    throw new TypeError(
      `"${name}" must be a string, and is ${key === null ? 'null' : `of type ${typeof key}`}`,
    )
  }
  if (key === '') throw new TypeError(`"${name}" is empty: is the environment variable set?`)
  if (key !== key.trim()) {
    throw new TypeError(
      `"${name}" has white space at its start or end: a line break from a file, perhaps? Trim it.`,
    )
  }
  // Nobody issues such a key. It is what indexing or spreading a string gives: secret[0], [...secret].
  if (key.length === 1)
    throw new TypeError(
      `"${name}" is a single character, and no key is: was one taken out of it, as secret[0] does?`,
    )
  return key
}

/** Whether {@link checkKey} accepts it. */
export function isKey(key: unknown): key is string {
  try {
    // Stryker disable next-line StringLiteral: the message with this name is discarded.
    return checkKey(key, 'key') === key
  } catch /* Stryker disable next-line BlockStatement: undefined is as falsy as false. */ {
    return false
  }
}

export function isSource(value: unknown): value is SecretSource {
  return typeof value === 'object' && value !== null && 'get' in value && typeof value.get === 'function'
}

/** The first digits of SHA-256: enough to tell two keys apart, and none of them can be made from it. */
export async function fingerprintWith(
  { sha256 }: Pick<Digest<unknown>, 'sha256'>,
  key: string,
): Promise<string> {
  if (typeof (key as unknown) !== 'string' || key === '') {
    throw new TypeError('fingerprint needs a key: a string that is not empty')
  }
  return toFingerprint(await sha256(new TextEncoder().encode(key)))
}
