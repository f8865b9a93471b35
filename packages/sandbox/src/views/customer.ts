import { isoTimestamp } from '../events/timestamps.js'
import type { Customer } from '../model/entities.js'

const text = { type: ['string', 'null'] }

export const customerSchema = {
  $id: 'Customer',
  type: 'object',
  properties: {
    id: { type: 'string' },
    first_name: text,
    last_name: text,
    email: text,
    phone_number: text,
    custom_fields: { type: ['object', 'null'] },
    is_live: { type: 'boolean' },
    created: { type: 'string' },
  },
  required: ['id', 'first_name', 'last_name', 'email', 'phone_number', 'custom_fields', 'is_live', 'created'],
  additionalProperties: false,
}

export function viewCustomer({ id, scope, created, details }: Customer) {
  return {
    id,
    first_name: details.first_name ?? null,
    last_name: details.last_name ?? null,
    email: details.email ?? null,
    phone_number: details.phone_number ?? null,
    custom_fields: details.custom_fields ?? null,
    is_live: scope.isLive,
    created: isoTimestamp(created),
  }
}
