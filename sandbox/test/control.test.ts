import { once } from 'node:events'
import { get, request, type IncomingMessage } from 'node:http'
import { describe, expect, it, onTestFinished } from 'vitest'
import { Endpoint } from './support/endpoint.js'
import { authorization, CARD_TOKENS, CUSTOMERS, INTENTS, Service, SIGNATURE_KEY } from './support/service.js'

const CONTROL: readonly (readonly [method: string, path: string])[] = [
  ['POST', '/_sandbox/reset'],
  ['GET', '/_sandbox/overview/'],
  ['GET', '/_sandbox/health/'],
  ['GET', '/_sandbox/newest/deliveries/'],
  ['GET', '/_sandbox/newest/intents/'],
  ['GET', '/_sandbox/newest/customers/'],
  ['POST', '/_sandbox/keys/'],
  ['POST', '/_sandbox/keys/reveal/'],
  ['POST', '/_sandbox/keys/x/revoke/'],
  ['GET', '/_sandbox/deliveries/x/'],
  ['GET', '/_sandbox/deliveries/x/explain/'],
  ['GET', '/_sandbox/deliveries/x/export/'],
  ['POST', '/_sandbox/deliveries/x/resend/'],
  ['POST', '/_sandbox/accounts/'],
  ['POST', '/_sandbox/keys/revoke/'],
  ['POST', '/_sandbox/secret/rotate/'],
  ['PUT', '/_sandbox/faults/'],
  ['GET', '/_sandbox/settings/'],
  ['PUT', '/_sandbox/settings/'],
  ['GET', '/_sandbox/requests/'],
  ['GET', '/_sandbox/requests/x/'],
  ['GET', '/_sandbox/endpoints/'],
  ['GET', '/_sandbox/newest/transactions/'],
  ['GET', '/_sandbox/newest/card-tokens/'],
  ['GET', '/_sandbox/newest/card-token-intents/'],
  ['GET', '/_sandbox/newest/agreements/'],
  ['GET', '/_sandbox/intents/x/'],
  ['GET', '/_sandbox/transactions/x/'],
  ['GET', '/_sandbox/customers/x/'],
  ['GET', '/_sandbox/card-tokens/x/'],
  ['GET', '/_sandbox/card-token-intents/x/'],
  ['GET', '/_sandbox/agreements/x/'],
  ['GET', '/_sandbox/providers/'],
  ['GET', '/_sandbox/templates/'],
  ['POST', '/_sandbox/compose/check/'],
  ['POST', '/_sandbox/compose/'],
  ['POST', '/_sandbox/intents/x/pay/'],
  ['POST', '/_sandbox/audits/'],
]

interface Heard {
  readonly status: number
  readonly body: string
}

/** A request as a browser would send it: with headers that `fetch` does not let through. */
async function send(
  service: Service,
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  content?: string,
): Promise<Heard> {
  const { port } = new URL(service.sandbox.url)
  const setHost = headers['Host'] === undefined
  const sent = request({ host: '127.0.0.1', port, method, path, headers, setHost, agent: false })
  sent.end(content)
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  let body = ''
  for await (const chunk of response.setEncoding('utf8')) body += chunk as string
  return { status: response.statusCode!, body }
}

describe('Who may drive the sandbox', () => {
  it('the document lists nothing else under /_sandbox/ except the stream', async () => {
    const service = await Service.start()
    const listed = Object.entries(service.document.openApi.paths)
      .filter(([path]) => path.startsWith('/_sandbox/'))
      .flatMap(([path, operations]) =>
        Object.keys(operations).map((method) => `${method.toUpperCase()} ${path.replace('{id}', 'x')}`),
      )
    const known = [...CONTROL, ['GET', '/_sandbox/stream']].map((pair) => pair.join(' '))
    expect(listed.sort()).toEqual(known.sort())
  })

  it.each([...CONTROL, ['GET', '/_sandbox/stream'] as const])(
    '%s %s: not a page whose name was made to lead here',
    async (method, path) => {
      const service = await Service.start()
      const before = await service.state()
      for (const Host of [
        'evil.example',
        'localhost.evil.example',
        '10.0.0.1',
        '127.0.0.1.evil.example',
        '',
      ]) {
        const { status, body } = await send(service, method, path, { Host })
        expect(status).toBe(403)
        expect(body).toContain('is not a name of this sandbox')
      }
      expect(await service.state()).toEqual(before)
    },
  )

  it.each(CONTROL.filter(([method]) => method !== 'GET'))(
    '%s %s: not a page of another origin',
    async (method, path) => {
      const service = await Service.start()
      const before = await service.state()
      const { host } = new URL(service.sandbox.url)
      for (const Origin of ['https://evil.example', 'null', 'http://127.0.0.1:1', `https://${host}`]) {
        const { status, body } = await send(service, method, path, { Origin })
        expect(status).toBe(403)
        expect((JSON.parse(body) as { status: { errors: unknown } }).status.errors).toEqual([
          { Origin: 'must be that of the sandbox itself' },
        ])
      }
      expect(await service.state()).toEqual(before)
    },
  )

  it('its own page may', async () => {
    const service = await Service.start()
    const { origin, port } = new URL(service.sandbox.url)
    expect((await send(service, 'POST', '/_sandbox/reset', { Origin: origin })).status).toBe(200)
    for (const name of ['localhost', 'LOCALHOST', 'shop.localhost', '127.0.0.1', '[::1]']) {
      const Host = `${name}:${port}`
      expect((await send(service, 'GET', '/_sandbox/overview/', { Host })).status).toBe(200)
      const own = { Host, Origin: `http://${Host}` }
      expect((await send(service, 'POST', '/_sandbox/reset', own)).status).toBe(200)
    }
  })

  it('a page of another origin can look at nothing: no answer lets it', async () => {
    const service = await Service.start()
    for (const [method, path] of CONTROL) {
      const { port } = new URL(service.sandbox.url)
      const sent = request({ port, method, path, headers: { Origin: 'https://evil.example' }, agent: false })
      sent.end()
      const [response] = (await once(sent, 'response')) as [IncomingMessage]
      response.resume()
      const names = Object.keys(response.headers)
      expect(names.filter((name) => name.startsWith('access-control-'))).toEqual([])
    }
  })

  it('listening on every address answers to addresses, and to no other name', async () => {
    const service = await Service.start({ host: '0.0.0.0' })
    expect(service.sandbox.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
    for (const [Host, status] of [
      ['127.0.0.1', 200],
      ['10.1.2.3:80', 200],
      ['[2001:db8::1]:80', 200],
      ['evil.example', 403],
    ] as const) {
      const headers = { Host, ...authorization(service) }
      expect((await send(service, 'GET', '/_sandbox/overview/', headers)).status).toBe(status)
      expect((await send(service, 'GET', '/', headers)).status).toBe(status)
    }
  })
})

/** One request of each group of paths, all of which get an answer other than 403 under a name of the sandbox. */
const GROUPS: readonly (readonly [method: string, path: string])[] = [
  ['GET', '/'],
  ['GET', '/deliveries/dlv_x/'],
  ['GET', '/openapi.json'],
  ['GET', '/sdk.js'],
  ['GET', SIGNATURE_KEY],
  ['POST', INTENTS],
  ['POST', '/direct/payments/intents/x/card_token/'],
  ['GET', '/vault/form/x/'],
  ['GET', '/vault/form/x/state/'],
  ['GET', '/vault/card-form/'],
  ['OPTIONS', '/vault/intents/x/pay/'],
  ['GET', '/_sandbox/overview/'],
  ['GET', '/no/such/path'],
  ['DELETE', '/_sandbox/overview/'],
]

describe('The Host header', () => {
  it.each(GROUPS)(
    '%s %s is refused to a page whose name was rebound to this machine',
    async (method, path) => {
      const service = await Service.start()
      const headers = { 'X-Api-Key': service.sandbox.apiKeys.account }
      const { port } = new URL(service.sandbox.url)
      for (const Host of ['evil.example', `evil.example:${port}`, `localhost.evil.example:${port}`]) {
        const { status, body } = await send(service, method, path, { ...headers, Host })
        expect(status).toBe(403)
        expect(body).not.toContain('secret')
        const name = Host.split(':')[0]!
        expect((JSON.parse(body) as { status: { errors: unknown } }).status.errors).toEqual([
          {
            Host: `"${name}" is not a name of this sandbox. To allow it, start the sandbox with --allow-host ${name}, or with allowHosts: ['${name}'].`,
          },
        ])
      }
      expect((await send(service, method, path, headers)).status).not.toBe(403)
    },
  )

  it.each([
    ['127.0.0.1', 'sandbox', 'sandbox:4000'],
    ['0.0.0.0', 'sandbox', 'SANDBOX'],
    ['0.0.0.0', 'Sandbox:4000', 'sandbox:4000'],
  ])('listening on %s with allowHosts %s: %s reaches every path', async (host, name, Host) => {
    const service = await Service.start({ host, allowHosts: ['other', name] })
    for (const [method, path] of GROUPS) {
      const headers = { Host, 'X-Api-Key': service.sandbox.apiKeys.account, ...authorization(service) }
      expect((await send(service, method, path, headers)).status, path).not.toBe(403)
    }
    const own = { Host, Origin: `http://${Host}`, ...authorization(service) }
    expect((await send(service, 'POST', '/_sandbox/reset', own)).status).toBe(200)
  })

  it('an allowed name with a port is allowed with that port only', async () => {
    const service = await Service.start({ allowHosts: ['sandbox:4000'] })
    for (const Host of ['sandbox', 'sandbox:4001', 'my-sandbox:4000']) {
      expect((await send(service, 'GET', '/', { Host })).status).toBe(403)
    }
  })

  it('the addresses in answers start with the Host that the caller used', async () => {
    const service = await Service.start({ allowHosts: ['sandbox'] })
    for (const Host of ['sandbox:4000', 'localhost:4000']) {
      const headers = {
        ...{ Host, 'X-Api-Key': service.sandbox.apiKeys.account, 'Content-Type': 'application/json' },
      }
      const intent = await send(service, 'POST', INTENTS, headers, '{"amount":1,"amount_currency":"EUR"}')
      const { data } = JSON.parse(intent.body) as { data: { id: string; embed_url: string } }
      expect(data.embed_url).toBe(`http://${Host}/vault/form/${data.id}/`)
      const { body } = await send(service, 'GET', `/_sandbox/newest/intents/?limit=1&offset=1`, headers)
      expect(body).toContain(`"previous":"http://${Host}/_sandbox/newest/intents/?limit=1&offset=0"`)
    }
  })

  it('an embed_url starts with publicUrl if that is set, and the addresses of lists with the Host', async () => {
    const publicUrl = 'http://localhost:4000'
    const service = await Service.start({ allowHosts: ['sandbox'], publicUrl })
    expect(service.sandbox.publicUrl).toBe(publicUrl)
    const headers = {
      ...{
        Host: 'sandbox',
        'X-Api-Key': service.sandbox.apiKeys.account,
        'Content-Type': 'application/json',
      },
    }
    const made = await send(service, 'POST', INTENTS, headers, '{"amount":1,"amount_currency":"EUR"}')
    const { data } = JSON.parse(made.body) as { data: { id: string } }
    const embedUrl = `"embed_url":"${publicUrl}/vault/form/${data.id}/"`
    for (const path of [
      `${INTENTS}${data.id}/`,
      INTENTS,
      '/_sandbox/newest/intents/',
      '/_sandbox/newest/intents/',
      `/_sandbox/intents/${data.id}/`,
    ]) {
      expect((await send(service, 'GET', path, headers)).body, path).toContain(embedUrl)
    }
    const { body } = await send(service, 'GET', `${INTENTS}?limit=1&offset=1`, headers)
    expect(body).toContain(`"previous":"http://sandbox${INTENTS}?limit=1&offset=0"`)
  })

  it('the name and the origin of publicUrl are those of the sandbox', async () => {
    const service = await Service.start({ publicUrl: 'https://pay.example' })
    const own = { Host: 'pay.example', Origin: 'https://pay.example' }
    expect((await send(service, 'POST', '/_sandbox/reset', own)).status).toBe(200)
    for (const foreign of [
      { Host: 'localhost.pay.example' },
      { Host: 'other.example', Origin: 'https://pay.example' },
      { Host: 'pay.example', Origin: 'https://other.example' },
    ]) {
      expect((await send(service, 'POST', '/_sandbox/reset', foreign)).status).toBe(403)
    }
  })
})

describe('GET /_sandbox/overview/', () => {
  it('shows what there is, with keys and secret masked', async () => {
    const service = await Service.start()
    const endpoint = await Endpoint.start()
    const customer = await service.customer()
    const card_token = await service.savedCard(customer)
    await service.intent({ customer, card_token, webhook_url: endpoint.url })
    await service.sandbox.drained()
    const { data, text } = await service.get('/_sandbox/overview/')
    const { secret, apiKeys, accountId, organizationId } = service.sandbox
    for (const key of [secret, ...Object.values(apiKeys)]) expect(text).not.toContain(key)
    expect(data).toMatchObject({
      organization: {
        id: organizationId,
        webhook_signature_secret: `signing_secret_...${secret.slice(-4)}`,
      },
      accounts: [{ id: accountId, name: 'First account' }],
      keys: [
        {
          api_key: `account_key_...${apiKeys.account.slice(-4)}`,
          public_api_key: `public_key_...${apiKeys.public.slice(-4)}`,
        },
        { api_key: `organization_key_...${apiKeys.organization.slice(-4)}`, public_api_key: null },
      ],
      faults: {},
      counts: { intents: 1, customers: 1, card_tokens: 1, pending: 0, delivered: 2, dead: 0, lost: 0 },
    })
  })
})

describe('POST /_sandbox/reset', () => {
  it('returns to the state of the start', async () => {
    const service = await Service.start()
    const atStart = await service.state()
    const { secret, apiKeys } = service.sandbox
    const first = await service.customer()
    const card = await service.savedCard(first)
    await service.faults({ vault: 'down' })
    await service.post('/_sandbox/secret/rotate/')
    await service.post('/_sandbox/keys/', { type: 'account' })
    const keyId = atStart['keys']![0]!.id
    await service.post(`/_sandbox/keys/${keyId}/revoke/`)

    const { data } = await service.post('/_sandbox/reset')
    expect(atStart).toMatchObject(data)
    expect(await service.state()).toEqual(atStart)
    expect(service.sandbox.secret).toBe(secret)
    expect(service.sandbox.apiKeys).toEqual(apiKeys)
    expect((await service.get(`${CUSTOMERS}${first}/`)).code).toBe(400)
    expect((await service.get(`${CARD_TOKENS}${card}/`)).code).toBe(404)
    // What comes next is what came first.
    expect(await service.customer()).toBe(first)
  })

  it('takes an empty body with a Content-Type, too', async () => {
    const service = await Service.start()
    expect((await service.call('POST', '/_sandbox/reset', { body: '' })).code).toBe(200)
  })
})

describe('POST /_sandbox/keys/', () => {
  it.each([
    [{}, 'type'],
    [{ type: 'public' }, 'type'],
    [{ type: 'account', account: 'acc_none' }, 'account'],
    [{ type: 'organization', account: 'acc' }, 'account'],
    [{ type: 'account', acount: 'acc' }, 'acount'],
  ])('refuses %j', async (body, field) => {
    const service = await Service.start()
    const { code, status } = await service.post('/_sandbox/keys/', body)
    expect(code).toBe(400)
    expect(Object.keys(status.errors[0]!)).toEqual([field])
    expect((await service.state())['keys']).toHaveLength(2)
  })

  it('does not revoke a key that is not there, and may revoke one twice', async () => {
    const service = await Service.start()
    expect((await service.post('/_sandbox/keys/key_none/revoke/')).code).toBe(404)
    const { data } = await service.post('/_sandbox/keys/', { type: 'account' })
    for (let i = 0; i < 2; i++) {
      const revoked = await service.post(`/_sandbox/keys/${data.id}/revoke/`)
      expect(revoked.data).toMatchObject({ is_revoked: true })
      expect(revoked.text).not.toContain(data.api_key)
    }
  })
})

describe('GET /_sandbox/stream', () => {
  interface Listener {
    readonly response: IncomingMessage
    /** Everything that was heard until a text came. */
    readonly until: (text: string) => Promise<string>
  }

  async function listen(service: Service): Promise<Listener> {
    const sent = get(`${service.sandbox.url}/_sandbox/stream`, { agent: false })
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    onTestFinished(() => {
      response.destroy()
    })
    let heard = ''
    response.setEncoding('utf8').on('data', (text: string) => (heard += text))
    return {
      response,
      async until(text) {
        while (!heard.includes(text)) await once(response, 'data')
        return heard
      },
    }
  }

  const idOf = (value: { data: { id: string } }) => value.data.id
  const rotate = (service: Service) => service.post('/_sandbox/secret/rotate/')

  it('announces each change as it happens', async () => {
    const service = await Service.start()
    const endpoint = await Endpoint.start()
    const { response, until } = await listen(service)
    expect(response.headers['content-type']).toBe('text/event-stream')
    expect(response.headers['cache-control']).toBe('no-store')
    expect(await until('\n\n')).toBe(': listening\n\n')

    const customer = await service.customer()
    const token = await service.savedCard(customer)
    const intent = idOf(await service.intent({ customer, webhook_url: endpoint.url }))
    await service.pay(intent)
    await service.sandbox.drained()
    const removal = { customer, to_delete_customer_card_token: token }
    await service.post(`${CARD_TOKENS}delete/`, removal)
    const account = idOf(
      await service.post('/api/v1.4/accounts/', { name: 'A' }, service.sandbox.apiKeys.organization),
    )
    const key = idOf(await service.post('/_sandbox/keys/', { type: 'organization' }))
    await service.faults({})
    const [delivery] = await service.deliveries()
    await rotate(service)
    service.sandbox.reset()

    const heard = await until('"kind":"reset"')
    const changes = heard
      .split('\n\n')
      .filter((line) => line.startsWith('data: '))
      .map((line) => JSON.parse(line.slice(6)) as { kind: string; id?: string; ids?: string[] })
      .flatMap(({ kind, ids, ...rest }) => ids?.map((id) => ({ kind, id })) ?? [{ kind, ...rest }])
    for (const change of [
      { kind: 'customer', id: customer },
      { kind: 'intent', id: intent },
      { kind: 'delivery', id: delivery!.id },
      { kind: 'card', id: token },
      { kind: 'account', id: account },
      { kind: 'key', id: key },
      { kind: 'faults', id: 'faults' },
      { kind: 'organization', id: service.sandbox.organizationId },
      { kind: 'reset' },
    ]) {
      expect(changes).toContainEqual(change)
    }
  })

  it('several can listen, and one can leave', async () => {
    const service = await Service.start()
    const [leaving, staying] = [await listen(service), await listen(service)]
    const socket = leaving.response.socket
    leaving.response.destroy()
    if (!socket.closed) await once(socket, 'close')
    await rotate(service)
    await rotate(service)
    expect(await staying.until('"organization"')).toContain('data: {"kind":"organization","id":"org_')
  })

  it('ends with the sandbox', async () => {
    const service = await Service.start()
    const { response } = await listen(service)
    const closed = new Promise((resolve) => response.once('close', resolve).once('error', () => undefined))
    await service.sandbox.close()
    await closed
  })
})
