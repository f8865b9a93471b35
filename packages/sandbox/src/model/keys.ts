import type { Random } from '../random.js'
import type { Key } from './entities.js'

/** All keys of the organization and its accounts. */
export interface Keys {
  readonly createForAccount: (accountId: string) => Key & { readonly publicValue: string }
  readonly createForOrganization: () => Key
  readonly get: (id: string) => Key | undefined
  /** By its value, or by that of its public key. */
  readonly find: (value: string) => Key | undefined
  readonly list: () => readonly Key[]
  /**
   * The API key that v1 is signed with: the one that the intent was made with. If that one is revoked, or is a key of
   * the organization, it is the first key of the account that is not revoked.
   */
  readonly signing: (accountId: string, keyId: string | undefined) => string
}

export function createKeys(random: Random, now: () => number): Keys {
  const keys = new Map<string, Key>()
  const byValue = new Map<string, Key>()

  function add<Added extends Key>(key: Added): Added {
    keys.set(key.id, key)
    byValue.set(key.value, key)
    if (key.publicValue !== undefined) byValue.set(key.publicValue, key)
    return key
  }

  return {
    createForAccount: (accountId) =>
      add({
        id: random.id('key'),
        type: 'account',
        accountId,
        value: random.key('account_key'),
        publicValue: random.key('public_key'),
        created: now(),
        isRevoked: false,
      }),
    createForOrganization: () =>
      add({
        id: random.id('key'),
        type: 'organization',
        value: random.key('organization_key'),
        created: now(),
        isRevoked: false,
      }),
    get: (id) => keys.get(id),
    find: (value) => byValue.get(value),
    list: () => [...keys.values()],
    signing(accountId, keyId) {
      const made = [...keys.values()].filter((key) => key.accountId === accountId)
      const active = made.filter(({ isRevoked }) => !isRevoked)
      // An account is made with a key, so at least a revoked one exists.
      return (active.find(({ id }) => id === keyId) ?? active[0] ?? made[0]!).value
    },
  }
}

/** A key as a log or a page may show it. */
export function masked(value: string): string {
  return `${value.slice(0, value.lastIndexOf('_') + 1)}...${value.slice(-4)}`
}
