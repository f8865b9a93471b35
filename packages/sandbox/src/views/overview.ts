import { masked } from '../model/keys.js'
import type { Stage } from '../stage.js'
import { keySchema, viewAccount, viewKey } from './account.js'

const text = { type: 'string' }
const count = { type: 'integer' }

const counts = {
  intents: count,
  customers: count,
  card_tokens: count,
  pending: { ...count, description: 'Deliveries that are still tried' },
  delivered: count,
  dead: count,
}

const properties = {
  url: text,
  organization: {
    type: 'object',
    properties: { id: text, webhook_signature_secret: { ...text, description: 'Masked' } },
    required: ['id', 'webhook_signature_secret'],
    additionalProperties: false,
  },
  accounts: { type: 'array', items: { $ref: 'Account#' } },
  keys: { type: 'array', items: { $ref: `${keySchema.$id}#` }, description: 'Masked' },
  faults: { type: 'object' },
  counts: {
    type: 'object',
    properties: counts,
    required: Object.keys(counts),
    additionalProperties: false,
  },
}

export const overviewSchema = {
  $id: 'Overview',
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
}

/** What is short, and how much there is of what is long. No key and no secret is in it. */
export function viewOverview({ world, faults, deliveries }: Stage, url: string) {
  const { organization, accounts, keys, intents, customers, cardTokens } = world
  const counted = { pending: 0, delivered: 0, dead: 0 }
  for (const { status } of deliveries.list()) counted[status]++
  return {
    url,
    organization: { id: organization.id, webhook_signature_secret: masked(organization.secret) },
    accounts: [...accounts.values()].map(viewAccount),
    keys: keys.list().map((key) => viewKey(key)),
    faults: faults.get(),
    counts: {
      intents: intents.size,
      customers: customers.size,
      card_tokens: cardTokens.size,
      ...counted,
    },
  }
}
