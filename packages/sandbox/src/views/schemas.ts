import { envelopeSchemas } from '../http/components.js'
import { accountSchema, keySchema, newAccountSchema } from './account.js'
import { cardTokenIntentSchema } from './card-token-intent.js'
import { cardTokenSchema } from './card-token.js'
import { customerSchema } from './customer.js'
import { deliverySchema, deliverySummarySchema } from './delivery.js'
import { explanationSchema } from './explanation.js'
import { intentSchema } from './intent.js'
import { overviewSchema } from './overview.js'
import { stateSchema } from './full-state.js'

/** Every schema that has a name in the OpenAPI document. */
export const schemas = [
  ...envelopeSchemas,
  accountSchema,
  newAccountSchema,
  keySchema,
  customerSchema,
  cardTokenSchema,
  cardTokenIntentSchema,
  intentSchema,
  deliverySummarySchema,
  deliverySchema,
  explanationSchema,
  overviewSchema,
  stateSchema,
]
