import { WebhookError } from '../errors.js'
import { typeName } from '../shared/check-options.js'
import { type Hmac, type HmacKey, remembered, toFingerprint } from './hmac/hmac.js'

/** The webhook signing secret, or the account API key. */
export type KeyKind = 'secret' | 'apiKey'

export type KeysByKind<Key = HmacKey> = Readonly<Record<KeyKind, readonly Key[]>>

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

function checkKeys(keys: unknown, name: string): readonly string[] {
  if (!Array.isArray(keys)) return [checkKey(keys, name)]
  if (keys.length === 0) throw new TypeError(`"${name}" is an empty list: it must contain at least one key`)
  return Array.from(keys, (key, index) => {
    const item = `${name}[${index}]`
    if (key !== undefined) return checkKey(key, item)
    throw new TypeError(`"${item}" is undefined. ${IS_SET} If there is no such key now, leave the item out.`)
  })
}

/** @throws {TypeError} with a message that does not show the key */
export function checkKey(key: unknown, name: string): string {
  const fault = faultOf(key)
  if (fault !== undefined) throw new TypeError(`"${name}" ${fault}`)
  return key as string
}

export function isKey(key: unknown): key is string {
  return faultOf(key) === undefined
}

export const IS_SET = 'Is the environment variable set?'

function faultOf(key: unknown): string | undefined {
  if (key === undefined) return `is undefined. ${IS_SET}`
  if (typeof key !== 'string') return `must be a string, got ${typeName(key)}`
  if (key === '') return `is empty. ${IS_SET}`
  if (key !== key.trim())
    return 'has white space at its start or end, perhaps a line break from a file. Trim it.'
  // No key is so short. Indexing or spreading a string returns this: secret[0], [...secret].
  if (key.length === 1) return 'is one character long; did you pass secret[0]?'
  return PLACEHOLDERS.find(([form]) => form.test(key))?.[1]
}

/** Texts that anyone could guess, or that are not the key alone. The forms are so narrow that no random key has one. */
const PLACEHOLDERS: readonly (readonly [form: RegExp, fault: string])[] = [
  [
    /^(?:undefined|null|NaN|None|<no value>|\[object \w+\])$/,
    `is the text of a missing value or of an object, and not a key. ${IS_SET} Is a promise awaited?`,
  ],
  [
    /^(["'`])[\w+/=.:-]+\1$/,
    'has quotes around it, which are not part of the key. Remove them where the variable is set.',
  ],
  [
    // $NAME, ${NAME}, ${NAME:-default}, {{ name }}, ${{ name }}, %NAME%
    /^(?:\$[A-Z]+(?:_[A-Z0-9]+)*|\$\{[A-Za-z_]\w*(?::?[-=?+].*)?\}|\$?\{\{[^{}]*\}\}|%[A-Z]+(?:_[A-Z0-9]+)*%)$/,
    'is the name of a variable, and not its value: nothing replaced it. Check how the variable is set.',
  ],
]

function isSource(value: unknown): value is SecretSource {
  return typeof value === 'object' && value !== null && 'get' in value && typeof value.get === 'function'
}

/** What a function or a source returns is not known before, and can change. */
export function mayBeSeveral(option: SecretOption | undefined): boolean {
  return Array.isArray(option) ? option.length > 1 : isSource(option) || typeof option === 'function'
}

type KeyOptions = Readonly<Partial<Record<KeyKind, SecretOption | undefined>>>

/** The kinds of keys that are needed, each with the name of a version that is signed with it. */
export type NeededKeys = Readonly<Partial<Record<KeyKind, string | undefined>>>

/** The keys for one delivery, imported. */
interface FoundKeys<Found> {
  readonly keys: Found
  /** Resolves to keys that were not known before, if a source has some. Missing if there can be none. */
  readonly renew?: () => Promise<Found | undefined>
}

/** The keys of a verifier: fixed ones, or those of sources, which are asked for each delivery. */
export class KeyRing {
  /** The keys, if nothing has to be waited for: all of them are fixed, and the HMAC answers at once. */
  readonly atOnce: KeysByKind | undefined
  readonly #secret: KeysOfKind
  readonly #apiKey: KeysOfKind

  /** @throws {TypeError} on a key that is missing or cannot be right */
  constructor(options: KeyOptions, needed: NeededKeys, hmac: Hmac) {
    const secret = (this.#secret = keysOfKind('secret', options, needed, hmac))
    const apiKey = (this.#apiKey = keysOfKind('apiKey', options, needed, hmac))
    if (hmac.isAsync || secret instanceof AskedKeys || apiKey instanceof AskedKeys) return
    this.atOnce = { secret, apiKey }
  }

  /** @throws {WebhookError} `ERR_SECRET_UNKNOWN`, `ERR_SECRET_UNAVAILABLE` */
  async forDelivery(context: SecretContext): Promise<Required<FoundKeys<KeysByKind>>> {
    const [secret, apiKey] = await Promise.all([lookUp(this.#secret, context), lookUp(this.#apiKey, context)])
    return {
      keys: { secret: secret.keys, apiKey: apiKey.keys },
      async renew() {
        const [newSecrets, newApiKeys] = await Promise.all([secret.renew?.(), apiKey.renew?.()])
        if (newSecrets === undefined && newApiKeys === undefined) return undefined
        return { secret: newSecrets ?? secret.keys, apiKey: newApiKeys ?? apiKey.keys }
      },
    }
  }
}

/** As in the documentation. */
const VARIABLES = { secret: 'WEBHOOK_SECRET', apiKey: 'PAYMENT_API_KEY' }

type KeysOfKind = readonly HmacKey[] | AskedKeys
type KeysOfOneKind = FoundKeys<readonly HmacKey[]>

function keysOfKind(kind: KeyKind, options: KeyOptions, needed: NeededKeys, hmac: Hmac): KeysOfKind {
  const option = options[kind]
  const version = needed[kind]
  if (version === undefined) return []
  if (option === undefined) {
    throw new TypeError(
      `"${kind}" is missing, and ${version} is signed with it. ${IS_SET} ` +
        `If it is set only later, as after a build, pass a function: ${kind}: () => process.env.${VARIABLES[kind]}`,
    )
  }
  if (isSource(option) || typeof option === 'function') return new AskedKeys(kind, option, hmac)
  return checkKeys(option, kind).map((key) => hmac.importKey(key))
}

function lookUp(keys: KeysOfKind, context: SecretContext): KeysOfOneKind | Promise<KeysOfOneKind> {
  return keys instanceof AskedKeys ? keys.lookUp(context) : { keys }
}

/** Keys that a source or a function returns for each delivery. */
class AskedKeys {
  readonly #kind: KeyKind
  readonly #option: Exclude<SecretOption, Keys>
  readonly #hmac: Hmac
  // A source returns the same keys nearly always.
  readonly #imported = new Map<string, HmacKey>()

  constructor(kind: KeyKind, option: Exclude<SecretOption, Keys>, hmac: Hmac) {
    this.#kind = kind
    this.#option = option
    this.#hmac = hmac
  }

  async lookUp(context: SecretContext): Promise<KeysOfOneKind> {
    const source = await this.#source(context)
    const { fetchCount } = source
    const tried = await this.#ask(async () => checkKeys(await source.get(), this.#kind))
    const keys = this.#import(tried)
    // Keys that were fetched for this delivery are not fetched again: a forged delivery costs one call, not two.
    if (source.fetchCount !== fetchCount) return { keys }
    const renew = async () => {
      const renewed = await this.#ask(async () => checkKeys((await source.refresh?.()) ?? tried, this.#kind))
      return renewed.some((key) => !tried.includes(key)) ? this.#import(renewed) : undefined
    }
    return { keys, renew }
  }

  async #source(context: SecretContext): Promise<SecretSource> {
    const option = this.#option
    if (isSource(option)) return option
    const given = await this.#ask(() => option(context))
    if (given === undefined || given === null) {
      const detail = `the function "${this.#kind}" returned ${given}`
      throw new WebhookError('ERR_SECRET_UNKNOWN', { detail })
    }
    return isSource(given) ? given : { get: () => given }
  }

  /** Any failure of a source counts as a missing key, so that the sender retries. */
  async #ask<Result>(question: () => Result | Promise<Result>): Promise<Result> {
    try {
      return await question()
    } catch (cause) {
      const detail = `the source of "${this.#kind}" failed`
      // A source may know when it will try again, and reports it as a property of its error.
      const { retryAfterSeconds } = Object(cause) as { readonly retryAfterSeconds?: unknown }
      const pause = typeof retryAfterSeconds === 'number' && { retryAfterSeconds }
      throw new WebhookError('ERR_SECRET_UNAVAILABLE', { detail, cause, ...pause })
    }
  }

  #import(keys: readonly string[]): HmacKey[] {
    return keys.map((key) => remembered(this.#imported, key, this.#hmac.importKey))
  }
}

export async function fingerprintWith({ sha256 }: Pick<Hmac, 'sha256'>, key: string): Promise<string> {
  if (typeof (key as unknown) !== 'string' || key === '') {
    throw new TypeError('fingerprint: expected a key, a string that is not empty')
  }
  return toFingerprint(await sha256(new TextEncoder().encode(key)))
}
