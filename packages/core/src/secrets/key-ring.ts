import { WebhookError } from '../errors.js'
import { VERSIONS, type KeyKind, type KeysByKind, type Version } from '../versions.js'
import { checkKeys, type SecretOption } from './keys.js'

/** The keys that the listed versions are signed with, ready for the digest. */
export interface KeyRing<Key> {
  /** All of them, where none comes from a source. */
  readonly fixed: KeysByKind<Key> | undefined
  /** @throws {WebhookError} `ERR_SECRET_UNAVAILABLE` */
  readonly get: () => Promise<KeysByKind<Key>>
}

type KeySupply<Key> = readonly Key[] | (() => Promise<readonly Key[]>)

/** @throws {TypeError} on a key that is missing or cannot be right */
export function createKeyRing<Key>(
  options: Readonly<Partial<Record<KeyKind, SecretOption>>>,
  versions: readonly Version[],
  importKey: (text: string) => Key,
): KeyRing<Key> {
  const supply = (kind: KeyKind): KeySupply<Key> => {
    const option = options[kind]
    const signed = versions.find((version) => VERSIONS[version].key === kind)
    if (signed === undefined) return []
    if (option === undefined) throw new TypeError(`"${kind}" is missing: ${signed} is signed with it`)
    return supplyOf(option, kind, importKey)
  }
  const secret = supply('secret')
  const apiKey = supply('apiKey')
  if (typeof secret !== 'function' && typeof apiKey !== 'function') {
    const fixed = { secret, apiKey }
    return { fixed, get: () => Promise.resolve(fixed) }
  }
  return {
    fixed: undefined,
    async get() {
      const [secrets, apiKeys] = await Promise.all([take(secret), take(apiKey)])
      return { secret: secrets, apiKey: apiKeys }
    },
  }
}

function take<Key>(supply: KeySupply<Key>): readonly Key[] | Promise<readonly Key[]> {
  return typeof supply === 'function' ? supply() : supply
}

function supplyOf<Key>(
  option: SecretOption,
  kind: KeyKind,
  importKey: (text: string) => Key,
): KeySupply<Key> {
  const get = getterOf(option)
  if (get === undefined) return checkKeys(option, kind).map(importKey)

  // A source gives the same keys nearly always, and importing one costs about as much as hashing a small body.
  let known: ReadonlyMap<string, Key> = new Map()
  return async () => {
    let texts: readonly string[]
    try {
      texts = checkKeys(await get(), kind)
    } catch (cause) {
      throw new WebhookError('ERR_SECRET_UNAVAILABLE', { detail: `the source of "${kind}" failed`, cause })
    }
    const keys = new Map(texts.map((text) => [text, known.get(text) ?? importKey(text)]))
    known = keys
    return texts.map((text) => keys.get(text) as Key)
  }
}

function getterOf(option: SecretOption): (() => unknown) | undefined {
  if (typeof option === 'function') return option
  if (typeof option === 'object' && 'get' in option) return () => option.get()
  return undefined
}
