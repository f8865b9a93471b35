import { type Answer, CARD_TOKENS, type Data, Service, startWithEndpoint } from './service.js'

/** A charge by the customer that establishes an agreement, and one by the merchant under it. */
export const CIT = {
  merchant_initiated: false,
  payment_type: 'UNSCHEDULED',
  recurring_data: { agreement_id: 'agr-1' },
}
export const MIT = { ...CIT, merchant_initiated: true }

/** A customer with a saved card, and an endpoint for the events of its charges. */
export async function startWithCard(options: Parameters<Service['savedCard']>[1] = {}) {
  const { service, endpoint } = await startWithEndpoint()
  const customer = await service.customer({}, options.key)
  const card_token = await service.savedCard(customer, options)
  const fields = { customer, card_token, webhook_url: endpoint.url }
  return {
    service,
    endpoint,
    customer,
    card_token,
    charge: (extra: object = {}): Promise<Answer> => service.intent({ ...fields, ...extra }, options.key),
    /** At the endpoint for charges without the customer. */
    chargeDirectly: (extra: object = {}): Promise<Answer> =>
      service.post(`${CARD_TOKENS}${card_token}/charge/`, {
        amount: 10,
        amount_currency: 'EUR',
        ...fields,
        ...extra,
      }),
    remove: (token = card_token): Promise<Answer> => removeCard(service, customer, token),
  }
}

export function removeCard(service: Service, customer: string, token: string, key?: string): Promise<Answer> {
  return service.post(`${CARD_TOKENS}delete/`, { customer, to_delete_customer_card_token: token }, key)
}

/** Each try of a charge, such as "north FAILED". */
export function triesOf({ data }: { readonly data: Data }): readonly string[] {
  return data.transactions.map(({ provider, status }) => `${provider} ${status}`)
}
