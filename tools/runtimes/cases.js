// The fetch adapter over the connections of a runtime's own server. Cases that do not depend on the runtime are in
// test/contract and packages/fetch/test.
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { Agent, createServer, request as connect } from 'node:http'
import { text } from 'node:stream/consumers'

/** Ends a test that would never end. No test waits this long. */
const LONGEST_MS = 10_000
const SECRET = 'test_signature_key'
const BODY = '{"amount":10.5,"type":"order.shipped"}'
const LARGE = `{"text":"${'x'.repeat(1024 * 1024 - 11)}"}`
const CHUNKED = { 'Transfer-Encoding': 'chunked' }
const FRAMINGS = [
  ['a declared length', { 'Content-Length': BODY.length }],
  ['chunks', CHUNKED],
]
const HANDLED = [200, 'handled']
const TITLES = {
  ...{ 400: 'Bad Request', 401: 'Unauthorized', 408: 'Request Timeout', 413: 'Content Too Large' },
  ...{ 415: 'Unsupported Media Type', 500: 'Internal Server Error' },
}
const refused = (status) => [status, JSON.stringify({ title: TITLES[status], status })]

/** Ways to send a delivery that is accepted. */
const ACCEPTED = [
  ['of a declared length', {}],
  ['in chunks', { framing: CHUNKED }],
  ['in chunks of one byte', { framing: CHUNKED, pieces: [...BODY] }],
  ['of 1 MiB, the default limit', { body: LARGE }],
  ['of 1 MiB in chunks', { body: LARGE, framing: CHUNKED }],
  ['with characters outside ASCII', { body: '{"text":"\u00e9\u4e2d\ud83d\ude00"}' }],
  ['with a byte order mark', { body: '\ufeff{"order":1}' }],
  ['with the content type of a form', { headers: { 'Content-Type': 'application/x-www-form-urlencoded' } }],
  ['with spaces and tabs in the header', { signature: sign(BODY).replace(',', ' ,\tv4=x, ') }],
]

const REFUSED = [
  ['without a signature', 401, 'ERR_SIGNATURE_MISSING', { signature: [] }],
  ['with another body', 401, 'ERR_SIGNATURE_MISMATCH', { signature: sign('{}') }],
  ['with an empty body', 401, 'ERR_SIGNATURE_MISMATCH', { body: '', signature: sign(BODY) }],
  ['by GET', 401, 'ERR_SIGNATURE_MISMATCH', { method: 'GET', body: '', signature: sign(BODY) }],
  ['with an empty header', 400, 'ERR_SIGNATURE_MALFORMED', { signature: '' }],
  ['with two headers', 400, 'ERR_SIGNATURE_MALFORMED', { signature: [sign('{}'), sign(BODY)] }],
  ['that is encoded', 415, 'ERR_BODY_ENCODED', { headers: { 'Content-Encoding': 'gzip' } }],
  ['that is not UTF-8', 400, 'ERR_BODY_NOT_JSON', { body: Buffer.of(0x22, 0xff, 0x22) }],
  ['that is nested too deeply', 400, 'ERR_BODY_NOT_JSON', { body: '['.repeat(100_000) }],
  ['over the limit', 413, 'ERR_BODY_TOO_LARGE', { query: '?bodyLimit=37' }],
  ['whose body was read', 500, 'ERR_BODY_CONSUMED', { query: '?read=json' }],
  ['whose body is locked', 500, 'ERR_BODY_CONSUMED', { query: '?read=lock' }],
]

/**
 * @param port of the runtime
 * @param form of the fetch adapter, in ./inside/forms.js
 */
export async function runCases(port, form, outcome) {
  let count = 0

  for (const [how, { query = '', ...changes }] of ACCEPTED) {
    await test(`accepts a delivery ${how}`, async (url) => {
      assert.deepEqual(await send(url + query, changes).answer, HANDLED)
      const { handled, codes } = await seen(url)
      assert.deepEqual([handled, codes], [[changes.body ?? BODY], []])
    })
  }
  for (const [how, status, code, { query = '', ...changes }] of REFUSED) {
    await test(`refuses a delivery ${how}`, async (url) => {
      assert.deepEqual(await send(url + query, changes).answer, refused(status))
      const { handled, codes } = await seen(url)
      assert.deepEqual([handled, codes], [[], [code]])
    })
  }

  await test('acknowledges a duplicate and does not handle it again', async (url) => {
    const signature = sign(BODY)
    assert.deepEqual(await send(`${url}?replay=memory`, { signature }).answer, HANDLED)
    assert.deepEqual(await send(url, { signature }).answer, [200, ''])
    assert.deepEqual((await seen(url)).handled, [BODY])
  })

  await test('accepts deliveries by length and in chunks on one connection', async (url) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    for (const [index, framing] of [undefined, CHUNKED, undefined].entries()) {
      const { request, answer } = send(url, { framing, agent })
      assert.deepEqual(await answer, HANDLED)
      assert.equal(request.reusedSocket, index > 0)
    }
    agent.destroy()
  })

  await test('refuses a body that is too large before its end', async (url) => {
    const { request, answer } = start(`${url}?bodyLimit=2048`, { framing: CHUNKED })
    request.write('x'.repeat(4096))
    assert.deepEqual(await answer, refused(413))
    request.destroy()
  })

  for (const [how, framing] of FRAMINGS) {
    await test(`refuses a body that stalls, with ${how}`, async (url) => {
      const { request, answer } = start(`${url}?bodyTimeoutSeconds=0.5`, { framing })
      request.write(BODY.slice(1))
      assert.deepEqual(await answer, refused(408))
      request.destroy()
    })

    await test(`handles nothing of a sender that leaves in the middle of its body, with ${how}`, async (url) => {
      const { request } = start(url, { framing })
      request.write(BODY.slice(1))
      await until(url, ({ arrived }) => arrived === 1)
      request.destroy()
      const { handled, codes } = await until(url, ({ codes }) => codes.length > 0)
      assert.deepEqual([handled, codes], [[], ['ERR_BODY_INCOMPLETE']])
      assert.deepEqual(await send(url, { framing }).answer, HANDLED)
    })
  }

  for (const leaves of [false, true]) {
    const first = leaves ? 'a sender that left' : 'the first'
    await test(`fetches the secret once for two deliveries, begun by ${first}`, async (url) => {
      const service = await startService()
      const begun = send(`${url}?service=${service.url}`)
      await until(url, ({ arrived }) => arrived === 1)
      const waiting = send(url)
      await until(url, ({ arrived }) => arrived === 2)
      if (leaves) begun.request.destroy()
      service.answer()
      if (!leaves) assert.deepEqual(await begun.answer, HANDLED)
      assert.deepEqual(await waiting.answer, HANDLED)
      if (!leaves) assert.equal(service.calls(), 1)
      service.close()
    })
  }

  /** Runs a test with the address of an endpoint of its own. */
  async function test(name, run) {
    count += 1
    await outcome.test(`${form}: ${name}`, () => run(`http://127.0.0.1:${port}/webhooks/${form}/${count}`))
  }
}

/** Signed now, by node:crypto alone. */
function sign(body) {
  const t = Math.floor(Date.now() / 1000)
  const message = Buffer.from(body).toString('base64') + t
  return `t=${t},v3=${createHmac('sha256', SECRET).update(message).digest('hex')}`
}

/** Sends a whole delivery. */
function send(url, { body = BODY, pieces = [body], ...changes } = {}) {
  const started = start(url, { body, ...changes })
  for (const piece of pieces) started.request.write(piece)
  started.request.end()
  return started
}

/** Starts a delivery, whose body is still to be written. */
function start(url, { body = BODY, signature = sign(body), framing, headers, method = 'POST', agent } = {}) {
  const length = { 'Content-Length': Buffer.byteLength(body) }
  const all = { ...(framing ?? length), ...headers, 'Service-Signature': signature }
  const signal = AbortSignal.timeout(LONGEST_MS)
  const request = connect(url, { method, headers: all, agent, signal })
  // A server may close the connection of a request that it refused.
  request.on('error', () => undefined)
  request.flushHeaders()
  // Listens from now on, and not later, because two answers may arrive together.
  const answer = answerTo(request)
  answer.catch(() => undefined)
  return { request, answer }
}

async function answerTo(request) {
  const [response] = await once(request, 'response')
  const { statusCode, headers } = response
  if (statusCode !== 200) assert.equal(headers['content-type'], 'application/problem+json')
  assert.equal(headers['www-authenticate'], statusCode === 401 ? 'Service-Signature' : undefined)
  return [statusCode, await text(response)]
}

async function seen(url) {
  const response = await fetch(`${url}?seen`, { signal: AbortSignal.timeout(LONGEST_MS) })
  return response.json()
}

async function until(url, isEnough) {
  const deadline = Date.now() + LONGEST_MS
  for (;;) {
    const what = await seen(url)
    if (isEnough(what)) return what
    if (Date.now() > deadline) throw new Error(`the endpoint has seen only ${JSON.stringify(what)}`)
  }
}

/** The part of the payment service that returns the secret, to every caller once `answer` is called. */
async function startService() {
  let calls = 0
  let answer
  const isReleased = new Promise((resolve) => (answer = resolve))
  const body = { status: { code: 200, message: '' }, data: { webhook_signature_secret: SECRET } }
  const server = createServer((_request, response) => {
    calls += 1
    void isReleased.then(() => response.end(JSON.stringify(body)))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const close = () => {
    server.close()
    server.closeAllConnections()
  }
  return { url: `http://127.0.0.1:${server.address().port}`, calls: () => calls, answer, close }
}
