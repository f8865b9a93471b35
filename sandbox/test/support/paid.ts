import { startWithEndpoint } from './service.js'

/** A payment of a customer with a name, once the endpoint has its events. */
export async function startPaid(
  fields: object = {},
  { card, isLive = false }: { readonly card?: string; readonly isLive?: boolean } = {},
) {
  const { service, endpoint } = await startWithEndpoint()
  const key = service.composite(isLive)
  const customer = await service.customer({ first_name: 'Jane', last_name: 'Doe of Tallinn' }, key)
  const { id } = (await service.intent({ customer, webhook_url: endpoint.url, ...fields }, key)).data
  await service.pay(id, card === undefined ? undefined : { card })
  await service.sandbox.idle()
  return { service, endpoint, intentId: id, received: endpoint.received }
}
