import { describe, expect, it } from 'vitest'
import { dataIn, errorsIn, send as sendTo } from '../support/send.js'
import { authorization, INTENTS, Service, SIGNATURE_KEY } from '../support/service.js'

/** A call with the API key and the token. */
function send(
  service: Service,
  method: string,
  path: string,
  headers: Record<string, string> = {},
  body?: object,
) {
  const own = { 'X-Api-Key': service.sandbox.apiKeys.account, ...authorization(service) }
  return sendTo(service.sandbox.url, path, { method, headers: { ...own, ...headers }, body })
}

/** Every operation of the control API, with "x" as the id. */
function controlOperations({ document }: Service): readonly (readonly [method: string, path: string])[] {
  const operations = Object.entries(document.openApi.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => [method.toUpperCase(), path.replace('{id}', 'x')] as const),
  )
  const found = operations.filter(([, path]) => path.startsWith('/_sandbox/'))
  expect(found.length).toBeGreaterThan(20)
  return found
}

/** One request of each group of paths. */
const GROUPS: readonly (readonly [method: string, path: string])[] = [
  ['GET', '/'],
  ['GET', '/deliveries/dlv_x/'],
  ['GET', '/openapi.json'],
  ['GET', '/sdk.js'],
  ['GET', SIGNATURE_KEY],
  ['POST', INTENTS],
  ['POST', '/direct/payments/intents/x/card_token/'],
  ['GET', '/vault/form/x/'],
  ['GET', '/vault/card-form/'],
  ['OPTIONS', '/vault/intents/x/pay/'],
  ['GET', '/no/such/path'],
  ['DELETE', '/_sandbox/overview/'],
]

describe('A page of another origin', () => {
  it('drives no operation of the control API', async () => {
    const service = await Service.start()
    const before = await service.state()
    const { host } = new URL(service.sandbox.url)
    for (const [method, path] of controlOperations(service)) {
      for (const Origin of ['https://evil.example', 'null', 'http://127.0.0.1:1', `https://${host}`]) {
        const answer = await send(service, method, path, { Origin })
        const opened = Object.keys(answer.headers).filter((name) => name.startsWith('access-control-'))
        expect(opened, `no header lets ${Origin} read ${path}`).toEqual([])
        if (method === 'GET') continue
        expect(answer.status, `${method} ${path}`).toBe(403)
        expect(errorsIn(answer)).toEqual([{ Origin: 'must be that of the sandbox itself' }])
      }
    }
    expect(await service.state()).toEqual(before)
  })

  it('whose name was made to lead to this machine reaches no path', async () => {
    const service = await Service.start()
    const before = await service.state()
    const { port } = new URL(service.sandbox.url)
    for (const [method, path] of [...controlOperations(service), ...GROUPS]) {
      for (const name of ['evil.example', 'localhost.evil.example', '10.0.0.1', '127.0.0.1.evil.example']) {
        const answer = await send(service, method, path, { Host: `${name}:${port}` })
        expect(answer.status, `${method} ${path}`).toBe(403)
        const message = `"${name}" is not a name of this sandbox. To allow it, start the sandbox with --allow-host ${name}, or with allowHosts: ['${name}'].`
        expect(errorsIn(answer)).toEqual([{ Host: message }])
      }
    }
    expect((await send(service, 'GET', '/_sandbox/overview/', { Host: '' })).status).toBe(403)
    expect(await service.state()).toEqual(before)
  })
})

it('a page of another origin can read only what the SDK needs', async () => {
  const service = await Service.start()
  const readable = new Set<string>()
  for (const { method, path } of [...service.document.operations, { method: 'GET', path: '/sdk.js' }]) {
    for (const each of [method, 'OPTIONS']) {
      const { headers } = await send(service, each, path, { Origin: 'https://evil.example' })
      if (headers['access-control-allow-origin'] !== undefined) readable.add(`${each} ${path}`)
    }
  }
  expect([...readable].sort()).toEqual([
    'GET /sdk.js',
    'OPTIONS /vault/card-intents/x/card-token/',
    'OPTIONS /vault/intents/x/pay/',
    'POST /vault/card-intents/x/card-token/',
    'POST /vault/intents/x/pay/',
  ])
})

describe('The sandbox answers', () => {
  it('its own page, under each name of this machine', async () => {
    const service = await Service.start()
    const { port } = new URL(service.sandbox.url)
    for (const name of ['localhost', 'LOCALHOST', 'shop.localhost', '127.0.0.1', '[::1]']) {
      const Host = `${name}:${port}`
      const own = { Host, Origin: `http://${Host}` }
      expect((await send(service, 'POST', '/_sandbox/reset', own)).status).toBe(200)
      for (const [method, path] of GROUPS) {
        expect((await send(service, method, path, { Host })).status, path).not.toBe(403)
      }
    }
  })

  it('on every address to addresses, and to no other name', async () => {
    const service = await Service.start({ host: '0.0.0.0' })
    expect(service.sandbox.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
    for (const [Host, status] of [
      ['127.0.0.1', 200],
      ['10.1.2.3:80', 200],
      ['[2001:db8::1]:80', 200],
      ['evil.example', 403],
    ] as const) {
      for (const path of ['/_sandbox/overview/', '/']) {
        expect((await send(service, 'GET', path, { Host })).status).toBe(status)
      }
    }
  })

  it.each([
    ['127.0.0.1', 'sandbox', 'sandbox:4000'],
    ['0.0.0.0', 'sandbox', 'SANDBOX'],
    ['0.0.0.0', 'Sandbox:4000', 'sandbox:4000'],
  ])('on %s with allowHosts %s every path under %s', async (host, name, Host) => {
    const service = await Service.start({ host, allowHosts: ['other', name] })
    for (const [method, path] of GROUPS) {
      expect((await send(service, method, path, { Host })).status, path).not.toBe(403)
    }
    const own = { Host, Origin: `http://${Host}` }
    expect((await send(service, 'POST', '/_sandbox/reset', own)).status).toBe(200)
    const foreign = { Host: name.endsWith(':4000') ? 'sandbox:4001' : 'my-sandbox:4000' }
    expect((await send(service, 'GET', '/', foreign)).status).toBe(403)
  })

  it('under the name and the origin of publicUrl', async () => {
    const service = await Service.start({ publicUrl: 'https://pay.example' })
    for (const [headers, status] of [
      [{ Host: 'pay.example', Origin: 'https://pay.example' }, 200],
      [{ Host: 'localhost.pay.example' }, 403],
      [{ Host: 'other.example', Origin: 'https://pay.example' }, 403],
      [{ Host: 'pay.example', Origin: 'https://other.example' }, 403],
    ] as const) {
      expect((await send(service, 'POST', '/_sandbox/reset', headers)).status).toBe(status)
    }
  })
})

describe('The addresses in answers', () => {
  const intent = { amount: 1, amount_currency: 'EUR' }

  it('start with the Host that the caller used', async () => {
    const service = await Service.start({ allowHosts: ['sandbox'] })
    for (const Host of ['sandbox:4000', 'localhost:4000']) {
      const made = await send(service, 'POST', INTENTS, { Host }, intent)
      const { id, embed_url } = dataIn(made) as { id: string; embed_url: string }
      expect(embed_url).toBe(`http://${Host}/vault/form/${id}/`)
      const { text } = await send(service, 'GET', `/_sandbox/newest/intents/?limit=1&offset=1`, { Host })
      expect(text).toContain(`"previous":"http://${Host}/_sandbox/newest/intents/?limit=1&offset=0"`)
    }
  })

  it('start with publicUrl in an embed_url, if it is set, and with the Host in lists', async () => {
    const publicUrl = 'http://localhost:4000'
    const service = await Service.start({ allowHosts: ['sandbox'], publicUrl })
    expect(service.sandbox.publicUrl).toBe(publicUrl)
    const Host = 'sandbox'
    const { id } = dataIn(await send(service, 'POST', INTENTS, { Host }, intent)) as { id: string }
    const details = [INTENTS, `${INTENTS}${id}/`, `/_sandbox/intents/${id}/`]
    for (const path of [...details, '/_sandbox/newest/intents/']) {
      const { text } = await send(service, 'GET', path, { Host })
      expect(text, path).toContain(`"embed_url":"${publicUrl}/vault/form/${id}/"`)
    }
    const { text } = await send(service, 'GET', `${INTENTS}?limit=1&offset=1`, { Host })
    expect(text).toContain(`"previous":"http://sandbox${INTENTS}?limit=1&offset=0"`)
  })
})
