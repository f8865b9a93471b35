import { WebhookError } from '../errors.js'
import { VERSIONS, type KeyKind, type KeysByKind, type Version } from '../versions.js'
import {
  checkKeys,
  isSource,
  type Keys,
  type SecretContext,
  type SecretOption,
  type SecretSource,
} from './keys.js'

/** The keys for one delivery, ready for the digest. */
export interface KeyRing<Key> {
  readonly keys: KeysByKind<Key>
  /** Resolves to keys that were not known before, if a source has some. Missing if all keys are fixed. */
  readonly renew?: () => Promise<KeysByKind<Key> | undefined>
}

/** One ring for all deliveries, where every key is fixed; else a new one for each. */
export type KeyRings<Key> = KeyRing<Key> | ((context: SecretContext) => Promise<KeyRing<Key>>)

/** @throws {TypeError} on a key that is missing or cannot be right */
export function createKeyRings<Key>(
  options: Readonly<Partial<Record<KeyKind, SecretOption>>>,
  versions: readonly Version[],
  importKey: (text: string) => Key,
): KeyRings<Key> {
  const supplyOf = (kind: KeyKind): Supply<Key> => {
    const option = options[kind]
    const version = versions.find((name) => VERSIONS[name].key === kind)
    if (version === undefined) return []
    if (option === undefined) {
      throw new TypeError(
        `"${kind}" is missing, and ${version} is signed with it: is the environment variable set?`,
      )
    }
    if (!isFixed(option)) return askEachTime(option, kind, importKey)
    return checkKeys(option, kind).map(importKey)
  }
  const secret = supplyOf('secret')
  const apiKey = supplyOf('apiKey')
  if (typeof secret !== 'function' && typeof apiKey !== 'function') return { keys: { secret, apiKey } }

  return async (context) => {
    const [secrets, apiKeys] = await Promise.all([take(secret, context), take(apiKey, context)])
    return {
      keys: { secret: secrets.keys, apiKey: apiKeys.keys },
      async renew() {
        const [newSecrets, newApiKeys] = await Promise.all([secrets.renew?.(), apiKeys.renew?.()])
        if (newSecrets === undefined && newApiKeys === undefined) return undefined
        return { secret: newSecrets ?? secrets.keys, apiKey: newApiKeys ?? apiKeys.keys }
      },
    }
  }
}

/**
 * The keys themselves, and all that there are: also those that no listed version needs.
 *
 * @throws {WebhookError} `ERR_SECRET_UNKNOWN`, `ERR_SECRET_UNAVAILABLE`
 */
export async function readKeys(
  options: Readonly<Partial<Record<KeyKind, SecretOption>>>,
  context: SecretContext,
): Promise<Partial<Record<KeyKind, Keys>>> {
  const keys: Partial<Record<KeyKind, Keys>> = {}
  for (const kind of ['secret', 'apiKey'] as const) {
    const option = options[kind]
    if (option === undefined) continue
    if (isFixed(option)) keys[kind] = option
    else {
      const source = await sourceOf(option, kind, context)
      keys[kind] = await usable(kind, () => source.get())
    }
  }
  return keys
}

/** The keys of one kind: fixed, or asked for at each delivery. */
type Supply<Key> = readonly Key[] | ((context: SecretContext) => Promise<Supplied<Key>>)

interface Supplied<Key> {
  readonly keys: readonly Key[]
  readonly renew?: () => Promise<readonly Key[] | undefined>
}

function take<Key>(supply: Supply<Key>, context: SecretContext): Supplied<Key> | Promise<Supplied<Key>> {
  return typeof supply === 'function' ? supply(context) : { keys: supply }
}

function askEachTime<Key>(
  option: Exclude<SecretOption, Keys>,
  kind: KeyKind,
  importKey: (text: string) => Key,
): (context: SecretContext) => Promise<Supplied<Key>> {
  const importOnce = rememberImports(importKey)

  return async (context) => {
    const source = await sourceOf(option, kind, context)
    const { fetchCount } = source
    const tried = await usable(kind, async () => checkKeys(await source.get(), kind))
    const keys = tried.map(importOnce)
    // What was fetched for this delivery is not fetched again: a forged delivery costs one call, not two.
    if (source.fetchCount !== fetchCount) return { keys }
    return {
      keys,
      async renew() {
        const texts = await usable(kind, async () => checkKeys((await source.refresh?.()) ?? tried, kind))
        return texts.some((text) => !tried.includes(text)) ? texts.map(importOnce) : undefined
      },
    }
  }
}

function isFixed(option: SecretOption): option is Keys {
  return !isSource(option) && typeof option !== 'function'
}

/** @throws {WebhookError} `ERR_SECRET_UNKNOWN`, `ERR_SECRET_UNAVAILABLE` */
async function sourceOf(
  option: Exclude<SecretOption, Keys>,
  kind: KeyKind,
  context: SecretContext,
): Promise<SecretSource> {
  if (isSource(option)) return option
  const given = await usable(kind, () => option(context))
  if (given === undefined || given === null) {
    throw new WebhookError('ERR_SECRET_UNKNOWN', { detail: `the function "${kind}" returned ${given}` })
  }
  return isSource(given) ? given : { get: () => given }
}

/** Any fault of a source means that there is no key now, so that the sender retries. */
async function usable<Result>(kind: KeyKind, ask: () => Result | Promise<Result>): Promise<Result> {
  try {
    return await ask()
  } catch (cause) {
    throw new WebhookError('ERR_SECRET_UNAVAILABLE', {
      detail: `the source of "${kind}" failed`,
      cause,
      ...retryAfter(cause),
    })
  }
}

/** A source may know when it will look again, and says so as a property of its error. */
function retryAfter(cause: unknown): { retryAfterSeconds?: number } {
  const seconds = (cause as { retryAfterSeconds?: unknown } | null | undefined)?.retryAfterSeconds
  return typeof seconds === 'number' ? { retryAfterSeconds: seconds } : {}
}

// More accounts than this behind one endpoint only cost an import each, as much as hashing a small body.
const MAX_REMEMBERED = 100

/** A source gives the same keys nearly always. */
function rememberImports<Key>(importKey: (text: string) => Key): (text: string) => Key {
  const imported = new Map<string, Key>()
  return (text) => {
    const known = imported.get(text)
    if (known !== undefined) return known
    if (imported.size === MAX_REMEMBERED) imported.clear()
    const key = importKey(text)
    imported.set(text, key)
    return key
  }
}
