// What the service answers, by its schemas.
import type { ExplainReport } from '@service-signature/explain'
import type { Static } from 'typebox'
import type { accountSchema, keySchema } from '../../server/accounts/routes.js'
import type { cardTokenSchema } from '../../server/cards/routes.js'
import type { customerSchema } from '../../server/customers/routes.js'
import type {
  cardTokenIntentSchema,
  intentSchema,
  transactionSchema,
} from '../../server/intents/routes-view.js'
import type { recognitionSchema, templateSchema } from '../../server/deliveries/routes-compose.js'
import type {
  attemptSchema,
  deliverySchema,
  deliverySummarySchema,
} from '../../server/deliveries/routes-view.js'
import type { endpointSchema } from '../../server/endpoints/routes.js'
import type { explanationSchema } from '../../server/deliveries/routes-attempt.js'
import type { historySchema } from '../../server/payments/routes-history.js'
import type { agreementSchema, Listed } from '../../server/payments/routes-lists.js'
import type { requestSchema, requestSummarySchema } from '../../server/settings/routes-requests.js'
import type { FaultSettings, overviewSchema } from '../../server/settings/routes.js'

export type Account = Static<typeof accountSchema>
export type Key = Static<typeof keySchema>
export type Faults = FaultSettings
export type Overview = Static<typeof overviewSchema> & { readonly faults: Faults }
/** The keys and the secret in full. */
export type Revealed = Pick<Overview, 'keys'> & Pick<Overview['organization'], 'webhook_signature_secret'>

export type Intent = Static<typeof intentSchema>
export type IntentItem = Listed<typeof intentSchema>
export type IntentDetails = IntentItem & { readonly history: Static<typeof historySchema> }
export type TransactionItem = Listed<typeof transactionSchema>
export type Customer = Static<typeof customerSchema>
export type CustomerItem = Listed<typeof customerSchema>
export type CardItem = Listed<typeof cardTokenSchema>
export type CardIntentItem = Listed<typeof cardTokenIntentSchema>
export type AgreementItem = Listed<typeof agreementSchema>
/** One thing that happened, and what it was about. */
export type HistoryEntry = IntentDetails['history'][number]

export type DeliverySummary = Static<typeof deliverySummarySchema>
export type Delivery = Static<typeof deliverySchema>
export type Attempt = Static<typeof attemptSchema> & { readonly said?: string | null }
export type LastAttempt = NonNullable<DeliverySummary['last']>
/** The judgement about what an endpoint did with one attempt. */
export type Verdict = Attempt['verdict']
/** Why an attempt verifies or does not. */
export type Explanation = Static<typeof explanationSchema> & { readonly report: ExplainReport }
/** An event to start from in the composer. */
export type Template = Static<typeof templateSchema>
/** Whether the library recognizes a payload. */
export type Recognition = Static<typeof recognitionSchema>

export type EndpointStatistics = Static<typeof endpointSchema>
export type RequestSummary = Static<typeof requestSummarySchema>
export type RequestDetails = Static<typeof requestSchema>
