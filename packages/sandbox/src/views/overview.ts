import type { Stage } from '../stage.js'
import { keySchema, viewAccount, viewKey } from './account.js'
import { countDeliveries, deliveryCounts } from './delivery.js'
import { organizationSchema, viewOrganization } from './organization.js'

const text = { type: 'string' }
const count = { type: 'integer' }

const counts = {
  intents: count,
  customers: count,
  card_tokens: count,
  ...deliveryCounts,
}

const properties = {
  url: text,
  organization: organizationSchema,
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
export function viewOverview({ state, faults, deliveries }: Stage, url: string) {
  const { organization, accounts, keys, intents, customers, cardTokens } = state
  return {
    url,
    organization: viewOrganization(organization),
    accounts: [...accounts.values()].map(viewAccount),
    keys: keys.list().map((key) => viewKey(key)),
    faults: faults.get(),
    counts: {
      intents: intents.size,
      customers: customers.size,
      card_tokens: cardTokens.size,
      ...countDeliveries(deliveries.list()),
    },
  }
}
