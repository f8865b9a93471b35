import { expect, it, onTestFinished } from 'vitest'
import { firstKeys } from '../server/accounts/organization.js'
import { checkOptions } from '../server/options.js'
import { buildServer } from '../server/server.js'
import { KINDS, RunningService as Service } from '../server/service.js'
import { manualClock } from '../server/store/clock.js'
import { DELIVERIES } from '../server/deliveries/records.js'
import type { Identified, Kind } from '../server/store/table.js'
import { Endpoint } from './support/endpoint.js'
import { CARD } from './support/service.js'

/** Every record as text, by its kind and its id. */
function recordsOf({ store }: Service): ReadonlyMap<string, string> {
  const records = new Map<string, string>()
  for (const kind of KINDS) {
    for (const record of store.list(kind as unknown as Kind<Identified>)) {
      records.set(`${kind.name} ${record.id}`, JSON.stringify(record))
    }
  }
  return records
}

/** The names of the records that two states do not have in common. */
function changedBetween(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>) {
  const names = new Set([...before.keys(), ...after.keys()])
  return [...names].filter((name) => before.get(name) !== after.get(name)).sort()
}

async function startService() {
  const service = new Service(checkOptions({ clock: manualClock(), seed: 'announcements' }))
  const app = await buildServer(service)
  const endpoint = await Endpoint.start()
  onTestFinished(async () => {
    service.end()
    await app.close()
    service.store.close()
  })
  const { accountKey, organizationKey } = firstKeys(service)
  const keys = {
    organization: organizationKey.value,
    account: accountKey.value,
    public: accountKey.publicValue,
  }
  return { service, app, endpoint, keys }
}

type Context = Awaited<ReturnType<typeof startService>> & {
  /** Makes a call, and returns the data of its answer. */
  readonly call: (
    method: 'POST' | 'PUT' | 'OPTIONS' | 'GET',
    path: string,
    body?: object,
    key?: string,
  ) => Promise<Record<string, string>>
}

const INTENT = { amount: 10, amount_currency: 'EUR' }

async function customer({ call, keys }: Context): Promise<string> {
  return (await call('POST', '/api/v1.4/customers/', { first_name: 'Jane' }, keys.account))['id']!
}

async function intent({ call, keys, endpoint }: Context, fields: object = {}): Promise<string> {
  const body = { ...INTENT, webhook_url: endpoint.url, ...fields }
  return (await call('POST', '/api/v1.4/payments/intent/', body, keys.account))['id']!
}

async function savedCard(context: Context): Promise<{ customer: string; card_token: string }> {
  const owner = await customer(context)
  const { call, keys } = context
  const { id } = await call('POST', '/api/v1.4/tokens/cards/', { customer: owner }, keys.account)
  const paid = await call('POST', `/_sandbox/intents/${id!}/pay/`, { card: CARD })
  return { customer: owner, card_token: paid['card_token']! }
}

async function collectedCard({ call, keys }: Context): Promise<{ cardData: string }> {
  const body = { card: CARD, expiry: '12/34', holder: 'Jane Doe', cvv: '123' }
  return { cardData: (await call('POST', '/vault/cards/', body, keys.public))['id']! }
}

async function delivery(context: Context): Promise<string> {
  const { call, service } = context
  await call('POST', `/_sandbox/intents/${await intent(context)}/pay/`, { card: CARD })
  await service.deliveries.idle()
  return [...service.store.list(DELIVERIES)][0]!.id
}

async function key({ call }: Context): Promise<string> {
  return (await call('POST', '/_sandbox/keys/', { type: 'account', is_live: true }))['id']!
}

/** A call of each operation that is not a GET, under its name in the OpenAPI document. */
const OPERATIONS: Readonly<Record<string, (context: Context) => Promise<unknown>>> = {
  createPaymentIntent: intent,
  createPaymentIntentV1_1: ({ call, keys }) =>
    call('POST', '/api/v1.1/payments/intent/', INTENT, keys.account),
  chargeCardToken: async (context) => {
    const { card_token, customer } = await savedCard(context)
    const body = { ...INTENT, customer }
    await context.call('POST', `/api/v1.4/tokens/cards/${card_token}/charge/`, body, context.keys.account)
  },
  chargeCardTokenOnIntent: async (context) => {
    const { card_token, customer } = await savedCard(context)
    const path = `/direct/payments/intents/${await intent(context, { customer })}/card_token/`
    await context.call('POST', path, { card_token }, context.keys.account)
  },
  createPayout: ({ call, keys }) => call('POST', '/api/v1.4/payouts/', {}, keys.account),
  createCustomer: customer,
  createCardTokenIntent: savedCard,
  deleteCardToken: async (context) => {
    const { card_token: to_delete_customer_card_token, customer } = await savedCard(context)
    const body = { customer, to_delete_customer_card_token }
    await context.call('POST', '/api/v1.4/tokens/cards/delete/', body, context.keys.account)
  },
  createAccount: ({ call, keys }) => call('POST', '/api/v1.4/accounts/', { name: 'B' }, keys.organization),
  createAccountOnPage: ({ call }) => call('POST', '/_sandbox/accounts/', { name: 'B' }),
  payAtHostedForm: async (context) => {
    const fields = {
      customer: await customer(context),
      tokenize_card: true,
      recurring_data: { agreement_id: 'A' },
    }
    await context.call('POST', `/vault/form/${await intent(context, fields)}/pay/`, {
      card: CARD,
      cvv: '123',
    })
  },
  collectCard: collectedCard,
  payWithCollectedCard: async (context) => {
    const path = `/vault/intents/${await intent(context)}/pay/`
    await context.call('POST', path, await collectedCard(context), context.keys.public)
  },
  createCardTokenOfCollectedCard: async (context) => {
    const { call, keys } = context
    const body = { customer: await customer(context) }
    const { id } = await call('POST', '/api/v1.4/tokens/cards/', body, keys.account)
    await call('POST', `/vault/card-intents/${id!}/card-token/`, await collectedCard(context), keys.public)
  },
  allowPayWithCollectedCard: ({ call }) => call('OPTIONS', '/vault/intents/any/pay/'),
  allowCardTokenOfCollectedCard: ({ call }) => call('OPTIONS', '/vault/card-intents/any/card-token/'),
  reset: async (context) => {
    await delivery(context)
    await context.call('POST', '/_sandbox/reset')
  },
  setFaults: async ({ call }) => {
    await call('PUT', '/_sandbox/faults/', { vault: 'down' })
    await call('PUT', '/_sandbox/faults/', {})
  },
  changeSettings: ({ call, endpoint }) =>
    call('PUT', '/_sandbox/settings/', { default_endpoint: endpoint.url }),
  createKey: key,
  revokeKey: async (context) => context.call('POST', `/_sandbox/keys/${await key(context)}/revoke/`),
  revokeKeys: async (context) => {
    await context.call('POST', '/_sandbox/keys/revoke/', { ids: [await key(context), await key(context)] })
  },
  revealKeys: ({ call }) => call('POST', '/_sandbox/keys/reveal/'),
  rotateSecret: ({ call }) => call('POST', '/_sandbox/secret/rotate/'),
  resendDelivery: async (context) => {
    await context.call('POST', `/_sandbox/deliveries/${await delivery(context)}/resend/`)
  },
  checkEvent: ({ call }) => call('POST', '/_sandbox/compose/check/', { text: '{}' }),
  sendEvent: async ({ call, endpoint, service }) => {
    await call('POST', '/_sandbox/compose/', {
      url: endpoint.url,
      template: 'purchase-successful',
      is_live: true,
    })
    await service.deliveries.idle()
  },
  payIntent: delivery,
  auditEndpoint: ({ app, endpoint }) =>
    app.inject({
      method: 'POST',
      url: '/_sandbox/audits/',
      payload: { url: endpoint.url, groups: ['time'] },
    }),
}

it('knows every operation', async () => {
  const { app } = await startService()
  await app.ready()
  const { paths } = app.swagger() as unknown as {
    paths: Record<string, Record<string, { operationId: string }>>
  }
  const operations = Object.values(paths).flatMap((path) => Object.entries(path))
  const ids = operations
    .filter(([method]) => !['get', 'head'].includes(method))
    .map(([, { operationId }]) => operationId)
  expect(ids.sort()).toEqual(Object.keys(OPERATIONS).sort())
})

it.each(Object.entries(OPERATIONS))(
  '%s announces what it changes, and nothing else',
  async (_name, operate) => {
    const started = await startService()
    const { service, app } = started
    let before = recordsOf(service)
    let announced = new Set<string>()
    service.store.listen(({ kind, id }) => announced.add(kind === 'reset' ? kind : `${kind} ${id!}`))
    const compare = () => {
      const after = recordsOf(service)
      const changed = changedBetween(before, after)
      // After a reset the page asks for everything.
      if (announced.has('reset')) expect(changed.length).toBeGreaterThan(0)
      else expect([...announced].sort()).toEqual(changed)
      before = after
      announced = new Set()
    }
    const call: Context['call'] = async (method, url, payload, apiKey) => {
      const headers = { host: 'localhost', ...(apiKey !== undefined && { 'x-api-key': apiKey }) }
      const answer = await app.inject({ method, url, headers, ...(payload && { payload }) })
      expect(answer.statusCode, answer.body).toBe(url.endsWith('/payouts/') ? 404 : 200)
      // The deliveries of a call are compared with those of the next one: they go on meanwhile.
      await service.deliveries.idle()
      compare()
      return answer.json<{ data: Record<string, string> }>().data
    }
    await operate({ ...started, call })
    await service.deliveries.idle()
    compare()
  },
)
