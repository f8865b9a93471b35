import { declareKind } from '../store/table.js'

/** The account and the mode that an entity belongs to. Neither another account nor the other mode can see it. */
export interface Scope {
  readonly accountId: string
  readonly isLive: boolean
}

export function isSameScope(a: Scope, b: Scope): boolean {
  return a.accountId === b.accountId && a.isLive === b.isLive
}

export interface Organization {
  readonly id: string
  /** Signs v2 and v3. */
  readonly secret: string
  /** The one method of all payments. */
  readonly paymentMethodId: string
}

export const ORGANIZATIONS = declareKind<Organization>({ name: 'organization' })

export interface Account {
  readonly id: string
  readonly name: string
  readonly created: number
}

export const ACCOUNTS = declareKind<Account>({ name: 'account' })

/** An API key. That of an account comes with its public key. */
export interface Key {
  readonly id: string
  readonly type: 'account' | 'organization'
  /** Missing on a key of the organization. */
  readonly accountId?: string
  /** The mode of a key of an account; a key of the organization is for both. */
  readonly isLive?: boolean
  readonly value: string
  readonly publicValue?: string
  readonly created: number
  readonly isRevoked: boolean
}

export const KEYS = declareKind<Key>({ name: 'key' })
