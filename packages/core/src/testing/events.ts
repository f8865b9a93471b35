import type { DispatchedWebhook } from '../events/dispatcher.js'
import { type IntentEvent, recognize, type TransactionEvent, type WebhookEvent } from '../events/event.js'
import type { IntentPayload, IntentTransaction, TransactionPayload } from '../events/payloads.js'
import { isRecord } from '../events/schema.js'
import { setOrigin } from '../signature/proof.js'
import { printBody } from './sign.js'

/** Parts of a payload, at any depth. An array replaces the array, and null and undefined replace the field. */
export type Overrides<Payload> = Payload extends
  string | number | boolean | bigint | symbol | null | undefined | readonly unknown[]
  ? Payload
  : Payload extends object
    ? { readonly [Field in keyof Payload]?: Overrides<Payload[Field]> }
    : Payload

// Python prints the dash as `\u2013`, and `JSON.stringify` does not. So an endpoint that verifies a parsed and
// reserialized body fails, whatever the amounts are.
const PAYMENT_METHOD = 'Credit card \u2013 Visa, Mastercard'

const CUSTOMER = {
  first_name: 'Jane',
  last_name: 'Doe',
  email: 'jane.doe@example.com',
  phone_number: '+3725555555',
}

/**
 * The payload of a transaction event: always the same purchase of 50.5 euros by card. Its statuses are those of `type`, unless
 * they are overridden.
 *
 * @example
 * const body = printBody(transactionEvent({ transaction: { id: 'b2ad5e10-1f0c-4b2e-9c37-0f4ad7f5b3d1' } }))
 * const declined = transactionEvent({ type: 'transaction.purchase.failed' })
 */
export function transactionEvent<
  const Type extends TransactionPayload['type'] = 'transaction.purchase.successful',
>(
  overrides: Overrides<TransactionPayload> & { readonly type?: Type } = {},
): TransactionPayload & { type: Type } {
  const created = '2025-03-27 15:41:20.371204+00:00'
  const amount = { value: 50.5, currency: 'EUR' }
  const [, operation = 'purchase', status = 'successful'] =
    /^transaction\.([^.]+)\.(.+)$/.exec(overrides.type ?? '') ?? []
  const payload: TransactionPayload = {
    type: 'transaction.purchase.successful',
    status_id: 'st_01jqbz3m8qk4w7v5e2d9xa6h1c',
    intent: {
      id: 'int_01jqbz1v3tfp8n6r4y0m2kcj9w',
      created: '2025-03-27 15:40:02.118345+00:00',
      custom_fields: { order_id: '1001', EXTERNAL_SYSTEM_LINK: 'https://shop.example/orders/1001' },
      custom_form_answers: null,
      amount: { ...amount },
    },
    account: { id: 'acc_01hxw4b7d2e9k3m5n8p0q6r1st' },
    transaction: {
      type: 'payment',
      id: '0195d802-6f4c-7d3a-9b1e-5c2f8a7d4e60',
      created: '2025-03-27 15:41:18.902517+00:00',
      status: `${operation}.${status}`,
      billing_data: { ...CUSTOMER },
      external_action_message: [],
      operations: [
        {
          id: 'op_01jqbz3kz0a8v2c4x6n1m5t7yb',
          type: operation,
          status,
          amount: { ...amount },
          statuses: [{ id: 'st_01jqbz3m8qk4w7v5e2d9xa6h1c', value: status, created }],
        },
      ],
      custom_message: 'Thank you for your order',
      method: {
        id: 'pm_01hxw4f9r6t2y8u3i5o7a1s4dg',
        display_name: PAYMENT_METHOD,
        service_provider: { id: 'sp_01hxw4fc3v5b7n9m1k2j4h6g8d' },
      },
    },
    api_version: '1.1',
  }
  return merge(payload, overrides) as TransactionPayload & { type: Type }
}

/**
 * The payload of an intent event: the same purchase, seen from its intent. The status of the intent is that of `type`,
 * unless it is overridden; its transactions are successful.
 *
 * @example
 * const body = printBody(intentEvent({ data: { intent: { active_transaction: null } } }))
 */
export function intentEvent<const Type extends IntentPayload['type'] = 'intent.processed'>(
  overrides: Overrides<IntentPayload> & { readonly type?: Type } = {},
): IntentPayload & { type: Type } {
  const account = 'acc_01hxw4b7d2e9k3m5n8p0q6r1st'
  // Made twice, because Jest's jsdom has no structuredClone.
  const makeTransaction = (): IntentTransaction => ({
    id: '0195d802-6f4c-7d3a-9b1e-5c2f8a7d4e60',
    custom_fields: { order_id: '1001' },
    created: '2025-03-27T15:41:18.902517Z',
    status: 'SUCCESSFUL',
    amount: '50.50',
    amount_currency: 'EUR',
    billing_data: { ...CUSTOMER },
    external_action_message: [],
    payment_method: 'pm_01hxw4f9r6t2y8u3i5o7a1s4dg',
    payment_method_name: PAYMENT_METHOD,
    custom_form_answers: null,
    custom_message: 'Thank you for your order',
    account,
    provider_transaction_fields: { clearingInstituteName: 'Example Bank', ExtendedDescription: 'Approved' },
    provider_signature_match: true,
  })
  const payload: IntentPayload = {
    type: 'intent.processed',
    intent_type: 'PAYMENT',
    data: {
      intent_id: 'int_01jqbz1v3tfp8n6r4y0m2kcj9w',
      intent: {
        id: 'int_01jqbz1v3tfp8n6r4y0m2kcj9w',
        status: /^intent\.(.+)$/.exec(overrides.type ?? '')?.[1]?.toUpperCase() ?? 'PROCESSED',
        amount: 50.5,
        amount_currency: 'EUR',
        type: 'Payin',
        account,
        custom_fields: { order_id: '1001' },
        billing_data: { ...CUSTOMER },
        active_transaction: makeTransaction(),
        transactions_history: [makeTransaction()],
        method: { display_name: PAYMENT_METHOD, id: 'pm_01hxw4f9r6t2y8u3i5o7a1s4dg' },
        flow: null,
        is_live: false,
        created: '2025-03-27T15:40:02.118345Z',
      },
    },
    api_version: '1.1',
  }
  return merge(payload, overrides) as IntentPayload & { type: Type }
}

/**
 * The argument of a handler, to call it without a signature: a delivery of this payload or event, whose fields are the same
 * every time.
 *
 * @example
 * await fulfil(verifiedWebhook(transactionEvent({ intent: { id: 'int_1' } })))
 *
 * @throws {TypeError} on a payload that is not recognized. For an unrecognized event pass `recognize(payload)`
 */
export function verifiedWebhook<Type extends TransactionPayload['type']>(
  payload: TransactionPayload & { type: Type },
): DispatchedWebhook<TransactionEvent<Type>>
export function verifiedWebhook<Type extends IntentPayload['type']>(
  payload: IntentPayload & { type: Type },
): DispatchedWebhook<IntentEvent<Type>>
export function verifiedWebhook<Event extends WebhookEvent>(event: Event): DispatchedWebhook<Event>
export function verifiedWebhook(given: object): DispatchedWebhook {
  const event = 'shape' in given ? (given as WebhookEvent) : recognize(given)
  if (event.shape === 'unrecognized' && event !== given) {
    const issues = event.issues.map(({ path, reason }) => `${path} ${reason}`)
    throw new TypeError(`verifiedWebhook: the payload is not recognized: ${issues.join('; ')}`)
  }
  const signedAt = new Date('2025-03-27T15:41:20Z')
  const webhook = {
    event,
    timestamp: signedAt.getTime() / 1000,
    signedAt,
    versions: ['v3'],
    // It is ASCII. Jest's jsdom has no TextEncoder.
    rawBody: Uint8Array.from(printBody(event.payload), (letter) => letter.charCodeAt(0)),
    secretIndex: 0,
    keyFingerprint: 'sha256:00000000',
  }
  return setOrigin({ ...webhook, ...event }, TEST_ORIGIN) as DispatchedWebhook
}

// The digest of no key, and the default times.
const TEST_ORIGIN = { keyDigest: '0'.repeat(64), acceptedSeconds: 390 }

function merge(payload: unknown, overrides: unknown): unknown {
  if (!isRecord(payload) || !isRecord(overrides)) return overrides
  // From entries, so that a field named __proto__ is a field.
  const changes = Object.entries(overrides).map(([name, value]) => [name, merge(payload[name], value)])
  return Object.fromEntries([...Object.entries(payload), ...(changes as [string, unknown][])])
}
