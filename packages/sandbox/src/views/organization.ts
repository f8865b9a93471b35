import type { Organization } from '../model/entities.js'
import { masked } from '../model/keys.js'

/** The organization as a page may show it. */
export const organizationSchema = {
  type: 'object',
  properties: {
    id: { type: 'string' },
    webhook_signature_secret: { type: 'string', description: 'Masked' },
  },
  required: ['id', 'webhook_signature_secret'],
  additionalProperties: false,
}

export function viewOrganization({ id, secret }: Organization) {
  return { id, webhook_signature_secret: masked(secret) }
}
