// What the service answers, by its schemas.
import type { ExplainReport } from '@service-signature/explain'
import type { Static } from 'typebox'
import type { accountSchema, keySchema } from '../../server/accounts/routes.js'
import type { cardTokenSchema } from '../../server/cards/routes.js'
import type { customerSchema } from '../../server/customers/routes.js'
import type { intentSchema, transactionSchema } from '../../server/intents/routes-view.js'
import type { recognitionSchema, templateSchema } from '../../server/deliveries/routes-compose.js'
import type {
  attemptSchema,
  deliverySchema,
  deliverySummarySchema,
} from '../../server/deliveries/routes-view.js'
import type { endpointSchema } from '../../server/endpoints/routes.js'
import type { explanationSchema } from '../../server/deliveries/routes-attempt.js'
import type { agreementDetailSchema, agreementSchema } from '../../server/payments/routes-agreements-list.js'
import type {
  cardDetailSchema,
  cardItemSchema,
  cardTokenIntentDetailSchema,
  cardTokenIntentItemSchema,
} from '../../server/payments/routes-cards-list.js'
import type { customerDetailSchema, customerItemSchema } from '../../server/payments/routes-customers-list.js'
import type { intentDetailSchema, intentItemSchema } from '../../server/payments/routes-intents-list.js'
import type { requestSchema, requestSummarySchema } from '../../server/settings/routes-requests.js'
import type { transactionDetailSchema } from '../../server/payments/routes-transactions-list.js'
import type { providerDetailSchema } from '../../server/payments/routes-providers.js'
import type { FaultSettings, overviewSchema } from '../../server/settings/routes.js'

export type Account = Static<typeof accountSchema>
export type Key = Static<typeof keySchema>
export type Faults = FaultSettings
export type Overview = Static<typeof overviewSchema> & { readonly faults: Faults }
/** The keys and the secret in full. */
export type Revealed = Pick<Overview, 'keys'> & Pick<Overview['organization'], 'webhook_signature_secret'>

export type Intent = Static<typeof intentSchema>
/** An intent in the list, with what is looked for in it. */
export type IntentItem = Static<typeof intentItemSchema>
export type IntentDetails = Static<typeof intentDetailSchema>
export type CardIntent = Static<typeof cardTokenIntentItemSchema>
export type CardIntentDetails = Static<typeof cardTokenIntentDetailSchema>
export type Transaction = Static<typeof transactionSchema>
export type TransactionDetails = Static<typeof transactionDetailSchema>
export type Customer = Static<typeof customerSchema>
/** A customer in the list, with the saved cards. */
export type CustomerWithCards = Static<typeof customerItemSchema>
export type CustomerDetails = Static<typeof customerDetailSchema>
export type Card = Static<typeof cardTokenSchema>
/** A card in the list, with the name of its customer. */
export type CardItem = Static<typeof cardItemSchema>
export type CardDetails = Static<typeof cardDetailSchema>
export type Agreement = Static<typeof agreementSchema>
export type AgreementDetails = Static<typeof agreementDetailSchema>
export type Provider = Static<typeof providerDetailSchema>
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
