import { networkInterfaces } from 'node:os'
import { inspect } from 'node:util'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startSandbox, type Sandbox, type SandboxOptions } from '../server/index.js'
import { checkOptions } from '../server/options.js'
import { buildServer } from '../server/server.js'
import { RunningService as InnerService } from '../server/service.js'
import { CARD_INTENTS, INTENTS as INTENT_RECORDS } from '../server/intents/records.js'
import { DELIVERIES } from '../server/deliveries/records.js'
import { KEYS } from '../server/accounts/records.js'
import { Endpoint } from './support/endpoint.js'
import { CARD_TOKENS, INTENTS, Service, SIGNATURE_KEY } from './support/service.js'

const TOKEN = 'a-token-of-the-tests_0123456789'

/** An address at which this machine is another machine for the sandbox: calls to it do not come from loopback. */
const LAN = Object.values(networkInterfaces())
  .flatMap((addresses) => addresses!)
  .find(({ family, internal }) => family === 'IPv4' && !internal)?.address
if (LAN === undefined) console.warn('Left out: calls from another machine, as this one has no network.')

const FOREIGN =
  'must not lead to the machine of the sandbox, because the call comes from another one. Name an address of yours, ' +
  'or send the token of the sandbox as well: Authorization: Bearer <SANDBOX_TOKEN>'

const LOOPBACK = [
  'localhost',
  'LOCALHOST.',
  'shop.localhost',
  '127.0.0.1',
  '127.1',
  '2130706433',
  '127.255.255.254',
  '[::1]',
  '[0:0:0:0:0:0:0:1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '0.0.0.0',
  '0',
  '[::]',
  '[::ffff:0.0.0.0]',
]

const INTENT = { amount: 10, amount_currency: 'EUR' }

async function started(options: SandboxOptions): Promise<Sandbox> {
  const sandbox = await startSandbox(options)
  onTestFinished(() => sandbox.close())
  return sandbox
}

/** Where another machine finds it. */
function outside({ url }: Sandbox): string {
  return `http://${LAN!}:${new URL(url).port}`
}

interface Answered {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

interface Sent {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

async function call(url: string, init: Sent = {}): Promise<Answered> {
  const headers = { ...(init.body !== undefined && { 'Content-Type': 'application/json' }), ...init.headers }
  const response = await fetch(url, { redirect: 'manual', ...init, headers })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

function post(url: string, body: object, headers: Record<string, string> = {}): Promise<Answered> {
  return call(url, { method: 'POST', body: JSON.stringify(body), headers })
}

function errorsIn({ text }: Pick<Answered, 'text'>): unknown {
  return (JSON.parse(text) as { status: { errors: unknown } }).status.errors
}

function dataIn({ text }: Answered): unknown {
  return (JSON.parse(text) as { data: unknown }).data
}

describe('The token', () => {
  it('is made if other machines can reach the sandbox, another one each time', async () => {
    const options = { host: '0.0.0.0', seed: 'the same' }
    const tokens = [(await started(options)).token, (await started(options)).token]
    for (const token of tokens) expect(token).toMatch(/^[\w-]{32}$/)
    expect(new Set(tokens).size).toBe(2)
  })

  it.each(['127.0.0.1', '::1', 'localhost'])('is not needed on %s', async (host) => {
    const { url, token } = await started({ host })
    expect(token).toBeUndefined()
    expect((await call(`${url}/_sandbox/overview/`)).status).toBe(200)
    expect((await call(`${url}/?token=${TOKEN}`)).status).toBe(200)
  })

  it.each(['127.0.0.1', '0.0.0.0'])('is needed on %s if it was passed', async (host) => {
    const { url, token } = await started({ host, token: TOKEN })
    expect(token).toBe(TOKEN)
    expect((await call(`${url}/_sandbox/overview/`)).status).toBe(401)
    expect((await call(`${url}/_sandbox/overview/`, bearer(TOKEN))).status).toBe(200)
  })

  it.each(['short', 'with spaces in the text', 'quotes"quotes"quotes', 'x'.repeat(101), 1234567890123456])(
    'cannot be %j, and the error does not show it',
    async (token) => {
      const starting = startSandbox({ token: token as string })
      await expect(starting).rejects.toThrow(
        new TypeError('"token" must be 16 to 100 letters, digits, "-", "." or "_"'),
      )
    },
  )
})

function bearer(token: string): { headers: Record<string, string> } {
  return { headers: { Authorization: `Bearer ${token}` } }
}

describe('Without the token', () => {
  it.each([
    ['no token', {}],
    ['a wrong one', { Authorization: `Bearer ${TOKEN}x` }],
    ['one of another scheme', { Authorization: `Basic ${TOKEN}` }],
    ['an empty one', { Authorization: 'Bearer ' }],
    ['a wrong cookie', { Cookie: 'sandbox=1; service-signature=2' }],
  ])('with %s, no control endpoint answers, and nothing is done', async (_, headers) => {
    const service = await Service.start({ host: '0.0.0.0', token: TOKEN })
    const before = await call(`${service.sandbox.url}/_sandbox/overview/`, bearer(TOKEN))
    const closed = Object.entries(service.document.openApi.paths)
      .filter(([path]) => path.startsWith('/_sandbox/') && path !== '/_sandbox/health/')
      .flatMap(([path, methods]) =>
        Object.keys(methods).map((method) => [method.toUpperCase(), path] as const),
      )
    expect(closed.length).toBeGreaterThan(30)
    for (const [method, template] of closed) {
      const path = template.replace(/\{[^}]+\}/g, 'x')
      const answer = await call(service.sandbox.url + path, { method, headers })
      expect(answer.status, `${method} ${path}`).toBe(401)
      expect(answer.headers.get('www-authenticate')).toBe('Bearer')
      service.document.check(method, path, 401, 'application/json', JSON.parse(answer.text))
      expect(errorsIn(answer)).toEqual([
        {
          Authorization:
            'must be Bearer <token>. The sandbox prints its token at the start; the commands read SANDBOX_TOKEN',
        },
      ])
    }
    expect(await call(`${service.sandbox.url}/_sandbox/overview/`, bearer(TOKEN))).toMatchObject({
      text: before.text,
    })
  })

  it.each(['/', '/?token=wrong', '/deliveries/dlv_x/', '/assets/x.js', '/%5Fsandbox-is-not-here'])(
    'a person at %s gets a page that says how to get in',
    async (path) => {
      const { url } = await started({ token: TOKEN })
      const answer = await call(url + path, { headers: { Accept: 'text/html' } })
      expect(answer.status).toBe(401)
      expect(answer.headers.get('www-authenticate')).toBe('Bearer')
      expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
      expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'")
      expect(answer.headers.get('set-cookie')).toBeNull()
      expect(answer.text).toContain('?token=')
    },
  )

  it('neither another spelling nor an absolute address of a control endpoint answers', async () => {
    const { app } = await inside({ token: TOKEN })
    for (const url of [
      '/%5Fsandbox/overview/',
      '/_sandbox/%6Fverview/',
      'http://localhost/_sandbox/overview/',
    ]) {
      const { statusCode } = await app.inject({ url, headers: { host: 'localhost' } })
      expect(statusCode, url).toBe(401)
    }
  })

  it('the API, the card form, the SDK and the health check answer', async () => {
    const { url, apiKeys } = await started({ host: '0.0.0.0' })
    const key = { 'X-Api-Key': apiKeys.account }
    const made = dataIn(await post(url + INTENTS, INTENT, key)) as { readonly embed_url: string }
    for (const path of [
      SIGNATURE_KEY,
      '/openapi.json',
      '/sdk.js',
      '/_sandbox/health/',
      '/vault/card-form/',
    ]) {
      expect((await call(url + path, { headers: key })).status, path).toBe(200)
    }
    expect((await call(`${url}/vault/assets/form/form.js`)).status).toBe(200)
    expect((await call(made.embed_url)).status).toBe(200)
    const paid = await post(`${made.embed_url}pay/`, { card: '4242424242424242' })
    expect(dataIn(paid)).toMatchObject({ status: 'PROCESSED' })
    // A program with a wrong address needs to know that, and no token.
    expect((await call(`${url}/api/v1.4/no-such-path/`)).status).toBe(404)
    expect((await call(`${url}/v1.4/payments/intent/`)).status).toBe(404)
  })
})

/** A browser that has opened `?token=` once. */
async function cookieOf(url: string): Promise<string> {
  const { status, headers, text } = await call(`${url}/deliveries/?status=dead&token=${TOKEN}&type=intent.*`)
  expect(status).toBe(303)
  expect(headers.get('location')).toBe('/deliveries/?status=dead&type=intent.*')
  expect(text).toBe('')
  const cookie = headers.get('set-cookie')!
  expect(cookie).toMatch(/^[\w-]+=[\w-]+; HttpOnly; SameSite=Strict; Path=\/$/)
  return cookie.split(';')[0]!
}

describe('?token=', () => {
  it('sets a cookie, with which the page, its calls, its stream and its downloads answer', async () => {
    const { url } = await started({ token: TOKEN })
    const headers = { Cookie: `theme=dark; ${await cookieOf(url)}; other=1` }
    const body = { template: 'intent-processed', url: (await Endpoint.start()).url }
    const composed = await post(`${url}/_sandbox/compose/`, body, { ...headers, Origin: url })
    const { deliveries } = dataIn(composed) as { deliveries: [{ id: string }] }
    const [{ id }] = deliveries
    for (const path of ['/', '/_sandbox/overview/', `/_sandbox/deliveries/${id}/`]) {
      expect((await call(url + path, { headers })).status, path).toBe(200)
    }
    await expect
      .poll(async () => (await call(`${url}/_sandbox/deliveries/${id}/export/`, { headers })).status)
      .toBe(200)
    const end = new AbortController()
    const stream = await fetch(`${url}/_sandbox/stream`, { headers, signal: end.signal })
    expect(stream.headers.get('content-type')).toBe('text/event-stream')
    end.abort()
  })

  it('sets a cookie of another name for each port, because all ports of a host share their cookies', async () => {
    const [one, other] = [await started({ token: TOKEN }), await started({ token: TOKEN })]
    const names = [await cookieOf(one.url), await cookieOf(other.url)].map((cookie) => cookie.split('=')[0])
    expect(new Set(names).size).toBe(2)
  })

  it('of a control endpoint redirects to it, and leads to no other host', async () => {
    const { url } = await started({ token: TOKEN })
    const { headers } = await call(`${url}/_sandbox/overview/?token=${TOKEN}`)
    expect(headers.get('location')).toBe('/_sandbox/overview/')
    const { app } = await inside({ token: TOKEN })
    for (const path of ['//evil.example/', '/.//evil.example/', '/\\evil.example/']) {
      const { headers } = await app.inject({
        url: `${path}?token=${TOKEN}`,
        headers: { host: 'localhost', accept: 'text/html' },
      })
      expect(headers.location ?? '/').toMatch(/^\/(?!\/)/)
    }
  })

  it('is for reading only: a change needs the header or the cookie', async () => {
    const { url } = await started({ token: TOKEN })
    expect((await post(`${url}/_sandbox/reset?token=${TOKEN}`, {})).status).toBe(401)
  })
})

it('the token is in no log line, kept call, answer, export or object of the program but "token"', async () => {
  const lines: string[] = []
  const sandbox = await started({ token: TOKEN, logger: (line) => lines.push(line) })
  const { url, apiKeys } = sandbox
  const endpoint = await Endpoint.start()
  const headers = {
    'X-Api-Key': apiKeys.account,
    Authorization: `Bearer ${TOKEN}`,
    Cookie: await cookieOf(url),
  }
  const webhook_url = endpoint.url
  const intent = { ...INTENT, webhook_url, custom_fields: { page: `${url}/?token=${TOKEN}` } }
  const answers = [
    await call(`${url}${INTENTS}?limit=1&token=${TOKEN}`, {
      headers: { ...headers, Referer: `${url}/?token=${TOKEN}` },
    }),
    await post(`${url}${INTENTS}`, { ...intent, webhook_url: `http://${TOKEN}` }, headers),
    await post(`${url}/_sandbox/compose/`, { template: 'intent-processed', url: webhook_url }, headers),
    await call(`${url}/?token=${TOKEN}x`),
    await call(`${url}/_sandbox/overview/?token=${TOKEN}x`),
  ]
  await post(`${url}${INTENTS}`, intent, headers)
  await post(`${url}/api/v1.4/no-such-path/?token=${TOKEN}`, {}, headers)
  await sandbox.drained()
  const { list } = await read(url, '/_sandbox/requests/')
  expect(list.length).toBe(4)
  for (const { id } of list) answers.push((await read(url, `/_sandbox/requests/${id}/`)).answer)
  for (const path of ['/_sandbox/requests/', '/openapi.json', '/_sandbox/overview/']) {
    answers.push(await call(url + path, bearer(TOKEN)))
  }
  const everything = [
    ...lines,
    ...answers.map(({ text }) => text),
    inspect({ ...sandbox, token: undefined }),
    ...endpoint.received.map((each) => inspect(each)),
  ]
  expect(lines.length).toBeGreaterThan(10)
  expect(everything.join('\n')).not.toContain(TOKEN)
})

async function read(url: string, path: string) {
  const answer = await call(url + path, bearer(TOKEN))
  expect(answer.status, path).toBe(200)
  return { answer, list: dataIn(answer) as readonly { readonly id: string }[] }
}

/** The service without a socket, so that a test names the address of the caller. */
async function inside(options: SandboxOptions) {
  const service = new InnerService(checkOptions(options))
  const app = await buildServer(service)
  onTestFinished(async () => {
    service.end()
    await app.close()
    service.store.close()
  })
  const { value: key } = service.store.list(KEYS)[0]!
  const from = async (remoteAddress: string, path: string, payload: object, token?: string) => {
    const headers = {
      host: 'localhost',
      'x-api-key': key,
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    }
    const answer = await app.inject({ method: 'POST', url: path, remoteAddress, headers, payload })
    return { status: answer.statusCode, text: answer.body }
  }
  return { service, app, from }
}

const OTHER_MACHINE = '192.0.2.7'

describe('A call from another machine', () => {
  it.each(LOOPBACK)('without the token cannot name %s as its webhook_url', async (host) => {
    const { service, from } = await inside({ host: '0.0.0.0', allowRemote: true, token: TOKEN })
    const webhook_url = `http://${host}:2375/containers/create?name=x`
    for (const path of [INTENTS, CARD_TOKENS, `${CARD_TOKENS}x/charge/`]) {
      const answer = await from(OTHER_MACHINE, path, { ...INTENT, customer: 'x', webhook_url })
      expect(answer.status).toBe(400)
      expect(errorsIn(answer)).toEqual([{ webhook_url: FOREIGN }])
    }
    expect([...service.store.list(INTENT_RECORDS), ...service.store.list(CARD_INTENTS)]).toEqual([])
  })

  it('may name another address, and with the token or from this machine also a loopback address', async () => {
    const { from } = await inside({ host: '0.0.0.0', allowRemote: true, token: TOKEN })
    const loopback = { ...INTENT, webhook_url: 'http://127.0.0.1:3000/' }
    for (const address of ['127.0.0.1', '127.0.0.2', '::1', '::ffff:127.0.0.1']) {
      expect((await from(address, INTENTS, loopback)).status, address).toBe(200)
    }
    expect((await from(OTHER_MACHINE, INTENTS, loopback, TOKEN)).status).toBe(200)
    expect((await from(OTHER_MACHINE, INTENTS, loopback, `${TOKEN}x`)).status).toBe(400)
    expect((await from('::ffff:192.0.2.7', INTENTS, loopback)).status).toBe(400)
    expect((await from(OTHER_MACHINE, INTENTS, { ...INTENT, webhook_url: 'http://192.0.2.9/' })).status).toBe(
      200,
    )
    expect((await from(OTHER_MACHINE, INTENTS, INTENT)).status).toBe(200)
  })

  it.each([
    ['POST', '/_sandbox/compose/', { template: 'intent-processed' }],
    ['POST', '/_sandbox/audits/', {}],
  ])('that a proxy lets through cannot make %s %s send to loopback', async (_, path, fields) => {
    const endpoint = await Endpoint.start()
    const { service, from } = await inside({})
    const answer = await from(OTHER_MACHINE, path, { ...fields, url: endpoint.url })
    expect(answer.status).toBe(400)
    expect(errorsIn(answer)).toEqual([{ url: FOREIGN }])
    expect(service.store.list(DELIVERIES)).toEqual([])
    expect(endpoint.received).toEqual([])
  })

  it.skipIf(LAN === undefined)('over a socket makes a loopback service receive nothing', async () => {
    const victim = await Endpoint.start()
    const sandbox = await started({ host: '0.0.0.0' })
    const base = outside(sandbox)
    const composed = { url: victim.url, text: '{"Image":"evil"}', retries: false }
    for (const [path, body] of [
      ['compose/', composed],
      ['audits/', { url: victim.url }],
      ['settings/', { default_endpoint: victim.url }],
      ['keys/reveal/', {}],
    ] as const) {
      expect((await post(`${base}/_sandbox/${path}`, body)).status, path).toBe(401)
    }
    const key = { 'X-Api-Key': sandbox.apiKeys.account }
    const intent = await post(base + INTENTS, { ...INTENT, webhook_url: victim.url }, key)
    expect(errorsIn(intent)).toEqual([{ webhook_url: FOREIGN }])
    await sandbox.idle()
    expect(victim.received).toEqual([])
    // With the token it is the user's own machine.
    const trusted = { ...bearer(sandbox.token!).headers, ...key }
    expect((await post(`${base}/_sandbox/compose/`, composed, trusted)).status).toBe(200)
    await sandbox.drained()
    expect(victim.received).toHaveLength(1)
  })
})
