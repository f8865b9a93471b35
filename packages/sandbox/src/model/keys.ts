import type { Random } from '../random.js'
import type { Storage } from '../storage/storage.js'
import { StoredMap } from '../storage/stored-map.js'
import type { Key, Scope } from './entities.js'

/** A key of an account, which comes with its public key. */
export type AccountKey = Key & { readonly accountId: string; readonly publicValue: string }

export function isAccountKey(key: Key): key is AccountKey {
  return key.type === 'account'
}

/** All keys of the organization and its accounts. */
export class Keys {
  readonly #random: Random
  readonly #now: () => number
  readonly #byId: StoredMap<Key>
  readonly #byValue = new Map<string, Key>()

  constructor(random: Random, now: () => number, storage: Storage) {
    this.#random = random
    this.#now = now
    this.#byId = new StoredMap(storage, 'key')
    for (const key of this.#byId.values()) this.#addValues(key)
  }

  createForAccount(accountId: string, isLive: boolean): AccountKey {
    return this.#add({
      id: this.#random.id('key'),
      type: 'account',
      accountId,
      isLive,
      value: this.#random.key('account_key'),
      publicValue: this.#random.key('public_key'),
      created: this.#now(),
      isRevoked: false,
    })
  }

  createForOrganization(): Key {
    return this.#add({
      id: this.#random.id('key'),
      type: 'organization',
      value: this.#random.key('organization_key'),
      created: this.#now(),
      isRevoked: false,
    })
  }

  #add<Added extends Key>(key: Added): Added {
    this.#byId.set(key.id, key)
    this.#addValues(key)
    return key
  }

  #addValues(key: Key): void {
    this.#byValue.set(key.value, key)
    if (key.publicValue !== undefined) this.#byValue.set(key.publicValue, key)
  }

  revoke(key: Key): void {
    key.isRevoked = true
    this.#byId.changed(key.id)
  }

  get(id: string): Key | undefined {
    return this.#byId.get(id)
  }

  /** Finds a key by its value, or by the value of its public key. */
  find(value: string): Key | undefined {
    return this.#byValue.get(value)
  }

  list(): readonly Key[] {
    return [...this.#byId.values()]
  }

  /** Whether the account has had a key of this mode. */
  has({ accountId, isLive }: Scope): boolean {
    return this.list().some((key) => key.accountId === accountId && key.isLive === isLive)
  }

  /**
   * The API key that v1 is signed with: the one that the intent was made with. If that one is revoked, or is a key of
   * the organization, it is the first key of the account and mode, if possible one that is not revoked. A key of the other
   * mode is never used, because v1 proves the mode. `has` must be true.
   */
  signing({ accountId, isLive }: Scope, keyId: string | undefined): string {
    const made = this.list().filter((key) => key.accountId === accountId && key.isLive === isLive)
    const active = made.filter(({ isRevoked }) => !isRevoked)
    return (active.find(({ id }) => id === keyId) ?? active[0] ?? made[0]!).value
  }
}

/** A key as a log or a page may show it. */
export function masked(value: string): string {
  return `${value.slice(0, value.lastIndexOf('_') + 1)}...${value.slice(-4)}`
}

/** The values of keys and of signing secrets. */
export const KEY_VALUE = /(?:account_key|public_key|organization_key|signing_secret)_[0-9a-f]{40}/g
