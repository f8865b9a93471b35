import { inspect } from 'node:util'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startSandbox, type Sandbox, type SandboxOptions } from '../../server/index.js'
import { checkOptions } from '../../server/options.js'
import { RunningService as InnerService } from '../../server/sandbox.js'
import { buildServer } from '../../server/server.js'
import { Endpoint } from '../support/endpoint.js'
import { dataIn, errorsIn, send } from '../support/send.js'
import { CARD, CARD_TOKENS, INTENTS, Service, SIGNATURE_KEY } from '../support/service.js'

const TOKEN = 'a-token-of-the-tests_0123456789'
const STATE = '/_sandbox/overview/'
const INTENT = { amount: 10, amount_currency: 'EUR' }

const FOREIGN =
  'must not lead to the machine of the sandbox, because the call does not come from its loopback address. ' +
  'Name an address of yours, or send the token of the sandbox as well: Authorization: Bearer <SANDBOX_TOKEN>'

const LOOPBACK =
  'localhost LOCALHOST. shop.localhost 127.0.0.1 127.1 2130706433 127.255.255.254 0.0.0.0 0 ' +
  '[::1] [0:0:0:0:0:0:0:1] [::ffff:127.0.0.1] [::ffff:7f00:1] [::] [::ffff:0.0.0.0]'

async function started(options: SandboxOptions): Promise<Sandbox> {
  const sandbox = await startSandbox(options)
  onTestFinished(() => sandbox.close())
  return sandbox
}

const bearer = (token: string) => ({ Authorization: `Bearer ${token}` })
const TRUSTED = { headers: bearer(TOKEN) }

describe('The token', () => {
  it('is made if other machines can reach the sandbox, another one each time', async () => {
    const options = { host: '0.0.0.0', seed: 'the same' }
    const tokens = [(await started(options)).token, (await started(options)).token]
    for (const token of tokens) expect(token).toMatch(/^[\w-]{32}$/)
    expect(new Set(tokens).size).toBe(2)
  })

  it.each([
    ['127.0.0.1', '127.0.0.1', undefined, false],
    ['::1', '[::1]', undefined, false],
    ['localhost', 'localhost', undefined, false],
    ['0.0.0.0', '127.0.0.1', undefined, true],
    ['::', '[::1]', undefined, true],
    ['127.0.0.1', '127.0.0.1', TOKEN, true],
    ['0.0.0.0', '127.0.0.1', TOKEN, true],
  ])(
    'of a sandbox on %s, which is reached at %s, with the option %s is needed: %s',
    async (host, name, option, isNeeded) => {
      const { url, token } = await started({ host, ...(option !== undefined && { token: option }) })
      const addresses = name === 'localhost' ? ['127.0.0.1', '[::1]'] : [name]
      expect(addresses).toContain(new URL(url).hostname)
      if (option !== undefined) expect(token).toBe(option)
      expect(token !== undefined).toBe(isNeeded)
      expect((await send(url, STATE)).status).toBe(isNeeded ? 401 : 200)
      expect((await send(url, `/?token=${TOKEN}x`)).status).toBe(isNeeded ? 401 : 200)
      if (token !== undefined) expect((await send(url, STATE, { headers: bearer(token) })).status).toBe(200)
    },
  )
})

describe('Without the token', () => {
  it.each([
    ['no token', {}],
    ['a wrong one', { Authorization: `Bearer ${TOKEN}x` }],
    ['one of another scheme', { Authorization: `Basic ${TOKEN}` }],
    ['an empty one', { Authorization: 'Bearer ' }],
    ['a wrong cookie', { Cookie: 'sandbox=1; service-signature=2' }],
  ])('with %s, no control endpoint answers, and nothing is done', async (_, headers) => {
    const { sandbox, document } = await Service.start({ host: '0.0.0.0', token: TOKEN })
    const { text: before } = await send(sandbox.url, STATE, TRUSTED)
    const closed = document.operations.filter(
      ({ path }) => path.startsWith('/_sandbox/') && path !== '/_sandbox/health/',
    )
    expect(closed.length).toBeGreaterThan(30)
    for (const { method, path } of closed) {
      const answer = await send(sandbox.url, path, { method, headers })
      expect(answer.status, `${method} ${path}`).toBe(401)
      expect(answer.headers['www-authenticate']).toBe('Bearer')
      document.check(method, path, 401, 'application/json', JSON.parse(answer.text))
      expect(errorsIn(answer)).toEqual([
        {
          Authorization:
            'must be Bearer <token>. The sandbox prints its token at the start; the commands read SANDBOX_TOKEN',
        },
      ])
    }
    expect((await send(sandbox.url, STATE, TRUSTED)).text).toBe(before)
  })

  it.each(['/', '/?token=wrong', '/deliveries/dlv_x/', '/assets/x.js', '/%5Fsandbox-is-not-here'])(
    'a person at %s gets a page that says how to get in',
    async (path) => {
      const { url } = await started({ token: TOKEN })
      const { status, headers, text } = await send(url, path, { headers: { Accept: 'text/html' } })
      expect(status).toBe(401)
      expect(headers).toMatchObject({
        'www-authenticate': 'Bearer',
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': expect.stringContaining("default-src 'none'") as string,
      })
      expect(headers).not.toHaveProperty('set-cookie')
      expect(text).toContain('?token=')
    },
  )

  it('neither another spelling nor an absolute address of a control endpoint answers', async () => {
    const { app } = await inside({ token: TOKEN })
    for (const url of [
      '/%5Fsandbox/overview/',
      '/_sandbox/%6fverview/',
      'http://localhost/_sandbox/overview/',
    ])
      expect((await app.inject({ url, headers: { host: 'localhost' } })).statusCode, url).toBe(401)
  })

  it('the API, the card form, the SDK and the health check answer', async () => {
    const { url, apiKeys } = await started({ host: '0.0.0.0' })
    const headers = { 'X-Api-Key': apiKeys.account }
    const { embed_url } = dataIn(await send(url, INTENTS, { body: INTENT, headers })) as {
      embed_url: string
    }
    for (const [path, status] of [
      [SIGNATURE_KEY, 200],
      ['/openapi.json', 200],
      ['/sdk.js', 200],
      ['/_sandbox/health/', 200],
      ['/vault/card-form/', 200],
      ['/vault/assets/form/form.js', 200],
      [new URL(embed_url).pathname, 200],
      // A program with a wrong address needs to know that, and no token.
      ['/api/v1.4/no-such-path/', 404],
      ['/v1.4/payments/intent/', 404],
    ] as const)
      expect((await send(url, path, { headers })).status, path).toBe(status)
    const paid = await send(url, `${new URL(embed_url).pathname}pay/`, { body: { card: CARD } })
    expect(dataIn(paid)).toMatchObject({ status: 'PROCESSED' })
  })
})

/** A browser that has opened `?token=` once. */
async function cookieOf(url: string): Promise<string> {
  const path = `/deliveries/?status=dead&token=${TOKEN}&type=intent.*`
  const { status, headers, text } = await send(url, path, { headers: { Accept: 'text/html' } })
  expect([status, text]).toEqual([303, ''])
  expect(headers.location).toBe('/deliveries/?status=dead&type=intent.*')
  const [cookie] = headers['set-cookie'] as [string]
  expect(cookie).toMatch(/^[\w-]+=[\w-]+; HttpOnly; SameSite=Lax; Path=\/$/)
  return cookie.split(';')[0]!
}

describe('?token=', () => {
  it('sets a cookie, with which the page, its calls, its stream and its downloads answer', async () => {
    const sandbox = await started({ token: TOKEN })
    const { url } = sandbox
    const headers = { Cookie: `theme=dark; ${await cookieOf(url)}; other=1` }
    const body = { template: 'intent-processed', url: (await Endpoint.start()).url }
    const composed = await send(url, '/_sandbox/compose/', { body, headers: { ...headers, Origin: url } })
    const [{ id }] = (dataIn(composed) as { deliveries: [{ id: string }] }).deliveries
    await sandbox.drained()
    const delivery = `/_sandbox/deliveries/${id}/`
    for (const path of ['/', '/_sandbox/overview/', delivery, `${delivery}export/`])
      expect((await send(url, path, { headers })).status, path).toBe(200)
    const stream = await send(url, '/_sandbox/stream', { headers })
    expect(stream.headers['content-type']).toBe('text/event-stream')
  })

  it('sets a cookie of another name for each port, because all ports of a host share their cookies', async () => {
    const urls = [(await started({ token: TOKEN })).url, (await started({ token: TOKEN })).url]
    const names = await Promise.all(urls.map(async (url) => (await cookieOf(url)).split('=')[0]))
    expect(new Set(names).size).toBe(2)
  })

  it('sets a cookie that does not contain the token, because other ports of the host receive it', async () => {
    const { url } = await started({ token: TOKEN })
    const cookie = await cookieOf(url)
    expect(cookie).not.toContain(TOKEN)
    const [name, value] = cookie.split('=') as [string, string]
    for (const headers of [bearer(value), bearer(cookie), { Cookie: `${name}=${TOKEN}` }])
      expect((await send(url, STATE, { headers })).status).toBe(401)
    expect((await send(url, `${STATE}?token=${value}`)).status).toBe(401)
  })

  it('of a control endpoint redirects to it, and leads to no other host', async () => {
    const { url } = await started({ token: TOKEN })
    expect((await send(url, `${STATE}?token=${TOKEN}`)).headers.location).toBe(STATE)
    const { app } = await inside({ token: TOKEN })
    for (const path of ['//evil.example/', '/.//evil.example/', '/\\evil.example/']) {
      const headers = { host: 'localhost', accept: 'text/html' }
      const { location = '/' } = (await app.inject({ url: `${path}?token=${TOKEN}`, headers })).headers
      expect(location).toMatch(/^\/(?!\/)/)
    }
  })

  it('is for reading only: a change needs the header or the cookie', async () => {
    const { url } = await started({ token: TOKEN })
    expect((await send(url, `/_sandbox/reset?token=${TOKEN}`, { body: {} })).status).toBe(401)
  })
})

it('the token is in no log line, kept call, answer or event', async () => {
  const lines: string[] = []
  const sandbox = await started({ token: TOKEN, logger: (line) => lines.push(line) })
  const { url, apiKeys } = sandbox
  const endpoint = await Endpoint.start()
  const headers = { ...bearer(TOKEN), 'X-Api-Key': apiKeys.account, Cookie: await cookieOf(url) }
  const intent = { ...INTENT, webhook_url: endpoint.url, custom_fields: { page: `${url}/?token=${TOKEN}` } }
  const answers = [
    await send(url, `${INTENTS}?limit=1&token=${TOKEN}`, { headers }),
    await send(url, INTENTS, { body: { ...intent, webhook_url: `http://${TOKEN}` }, headers }),
    await send(url, `${STATE}?token=${TOKEN}x`),
  ]
  await send(url, INTENTS, { body: intent, headers })
  await sandbox.drained()
  const calls = dataIn(await send(url, '/_sandbox/newest/requests/', TRUSTED)) as { id: string }[]
  expect(calls).toHaveLength(3)
  for (const { id } of calls) answers.push(await send(url, `/_sandbox/requests/${id}/`, TRUSTED))
  answers.push(await send(url, STATE, TRUSTED))
  const everything = [
    ...lines,
    ...answers.map(({ text }) => text),
    ...endpoint.received.map((each) => inspect(each)),
  ]
  expect(everything.join('\n')).not.toContain(TOKEN)
})

/** The service without a socket, so that a test names the address of the caller. */
async function inside(options: SandboxOptions) {
  const settings = checkOptions(options)
  const service = new InnerService(settings)
  const app = await buildServer(service, settings)
  onTestFinished(async () => {
    service.deliveries.end()
    await app.close()
    service.store.close()
  })
  const host = { host: 'localhost' }
  const keys = { method: 'POST', url: '/_sandbox/keys/reveal/', payload: {} } as const
  const headers = { ...host, ...(options.token !== undefined && bearer(options.token)) }
  const revealed = await app.inject({ ...keys, headers })
  const [{ api_key: key }] = (dataIn({ text: revealed.body }) as { keys: [{ api_key: string }] }).keys
  const from = async (remoteAddress: string, url: string, payload: object, token?: string, more = {}) => {
    const own = { ...host, ...more, 'x-api-key': key, ...(token !== undefined && bearer(token)) }
    const answer = await app.inject({ method: 'POST', url, remoteAddress, headers: own, payload })
    return { status: answer.statusCode, text: answer.body }
  }
  const state = async () => (await app.inject({ url: STATE, headers })).body
  return { app, from, state }
}

const OTHER_MACHINE = '192.0.2.7'

describe('A call from another machine', () => {
  it.each(LOOPBACK.split(' '))('without the token cannot name %s as its webhook_url', async (host) => {
    const { from, state } = await inside({ host: '0.0.0.0', allowRemote: true, token: TOKEN })
    const before = await state()
    const webhook_url = `http://${host}:2375/containers/create?name=x`
    for (const path of [INTENTS, CARD_TOKENS, `${CARD_TOKENS}x/charge/`]) {
      const answer = await from(OTHER_MACHINE, path, { ...INTENT, customer: 'x', webhook_url })
      expect(answer.status).toBe(400)
      expect(errorsIn(answer)).toEqual([{ webhook_url: FOREIGN }])
    }
    expect(await state()).toBe(before)
  })

  it('may name another address, and with the token or from this machine also a loopback address', async () => {
    const { from } = await inside({ host: '0.0.0.0', allowRemote: true, token: TOKEN })
    const loopback = 'http://127.0.0.1:3000/'
    for (const [address, webhook_url, token, status] of [
      ['127.0.0.1', loopback, undefined, 200],
      ['127.0.0.2', loopback, undefined, 200],
      ['::1', loopback, undefined, 200],
      ['::ffff:127.0.0.1', loopback, undefined, 200],
      [OTHER_MACHINE, loopback, TOKEN, 200],
      [OTHER_MACHINE, loopback, `${TOKEN}x`, 400],
      ['::ffff:192.0.2.7', loopback, undefined, 400],
      [OTHER_MACHINE, 'http://192.0.2.9/', undefined, 200],
      [OTHER_MACHINE, undefined, undefined, 200],
    ] as const)
      expect((await from(address, INTENTS, { ...INTENT, webhook_url }, token)).status, address).toBe(status)
  })

  it.each([
    ['/_sandbox/compose/', { template: 'intent-processed' }],
    ['/_sandbox/audits/', {}],
  ])('that a proxy lets through cannot make POST %s send to loopback', async (path, fields) => {
    const endpoint = await Endpoint.start()
    const { from, state } = await inside({})
    const before = await state()
    const answer = await from(OTHER_MACHINE, path, { ...fields, url: endpoint.url })
    expect(answer.status).toBe(400)
    expect(errorsIn(answer)).toEqual([{ url: FOREIGN }])
    expect(await state()).toBe(before)
    expect(endpoint.received).toEqual([])
  })
})

describe.each([{ 'x-forwarded-for': '198.51.100.9' }, { forwarded: 'for=198.51.100.9' }])(
  'A call that a proxy on this machine forwards with %j',
  (forwarded) => {
    it('reaches neither the page nor a control endpoint of a sandbox without a token', async () => {
      const endpoint = await Endpoint.start()
      const { app, from, state } = await inside({})
      const before = await state()
      const refused = [
        await from('127.0.0.1', '/_sandbox/compose/', { url: endpoint.url }, undefined, forwarded),
      ]
      for (const url of ['/', STATE, '/deliveries/dlv_x/', '/_sandbox/stream']) {
        const headers = { host: 'localhost', accept: 'text/html', ...forwarded }
        const { statusCode, body } = await app.inject({ url, headers })
        refused.push({ status: statusCode, text: body })
      }
      for (const answer of refused) {
        expect(answer.status).toBe(403)
        expect(errorsIn(answer)).toEqual([
          {
            'X-Forwarded-For':
              'must come with a token, because a proxy lets other machines reach the sandbox. ' +
              'Start it with SANDBOX_TOKEN or --token-file',
          },
        ])
      }
      expect(await state()).toBe(before)
      expect(endpoint.received).toEqual([])
      for (const url of ['/_sandbox/health/', '/sdk.js', '/openapi.json'])
        expect((await app.inject({ url, headers: { host: 'localhost', ...forwarded } })).statusCode).toBe(200)
    })

    it('names a loopback address only with the token', async () => {
      const { from } = await inside({ token: TOKEN })
      const intent = { ...INTENT, webhook_url: 'http://127.0.0.1:3000/' }
      const answer = await from('127.0.0.1', INTENTS, intent, undefined, forwarded)
      expect([answer.status, errorsIn(answer)]).toEqual([400, [{ webhook_url: FOREIGN }]])
      expect((await from('127.0.0.1', INTENTS, intent, TOKEN, forwarded)).status).toBe(200)
    })
  },
)
