import { isoTimestamp } from '../events/timestamps.js'
import type { Account, Key } from '../model/entities.js'
import { masked } from '../model/keys.js'

const text = { type: 'string' }
const nullable = { type: ['string', 'null'] }

export const accountSchema = {
  $id: 'Account',
  type: 'object',
  properties: { id: text, name: text, created: text },
  required: ['id', 'name', 'created'],
  additionalProperties: false,
}

export function viewAccount({ id, name, created }: Account) {
  return { id, name, created: isoTimestamp(created) }
}

export const newAccountSchema = {
  $id: 'NewAccount',
  type: 'object',
  properties: {
    ...accountSchema.properties,
    api_key: { ...text, description: 'Its first key. It is not shown again' },
    public_api_key: text,
  },
  required: [...accountSchema.required, 'api_key', 'public_api_key'],
  additionalProperties: false,
}

export function viewNewAccount(account: Account, key: Key & { readonly publicValue: string }) {
  return { ...viewAccount(account), api_key: key.value, public_api_key: key.publicValue }
}

const keyProperties = {
  id: text,
  type: { type: 'string', enum: ['account', 'organization'] },
  account: nullable,
  api_key: text,
  public_api_key: nullable,
  is_revoked: { type: 'boolean' },
  created: text,
}

/** A key as it is shown when it is made, and, masked, ever after. */
export const keySchema = {
  $id: 'Key',
  type: 'object',
  properties: keyProperties,
  required: Object.keys(keyProperties),
  additionalProperties: false,
}

export function viewKey(key: Key, show: (value: string) => string = masked) {
  return {
    id: key.id,
    type: key.type,
    account: key.accountId ?? null,
    api_key: show(key.value),
    public_api_key: key.publicValue === undefined ? null : show(key.publicValue),
    is_revoked: key.isRevoked,
    created: isoTimestamp(key.created),
  }
}
