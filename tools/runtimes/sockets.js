// The fetch adapter over the connections of a runtime's own server: bodies that are late, too large or never complete.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Agent, createServer, request as connect } from 'node:http'
import { text } from 'node:stream/consumers'
import { BODY, secret, sign } from './inside/deliveries.js'

/** Ends a test that would never end. No test waits this long. */
const LONGEST_MS = 10_000
const LENGTH = { 'Content-Length': BODY.length }
const CHUNKED = { 'Transfer-Encoding': 'chunked' }

/**
 * @param {number} port of the runtime
 * @param {string} form of the fetch adapter, in ./inside/forms.js
 * @param {import('./inside/outcome.js').Outcome} outcome
 */
export async function runSockets(port, form, outcome) {
  const genuine = await sign(BODY)
  let count = 0
  /** @type {import('node:http').Server[]} */
  const servers = []

  await test('accepts deliveries by length and in chunks on one connection', async (url) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    for (const [index, framing] of [LENGTH, CHUNKED, LENGTH].entries()) {
      const { request, answer } = start(url, framing, { agent })
      request.end(BODY)
      assert.deepEqual(await answer, [200, 'handled'])
      assert.equal(request.reusedSocket, index > 0)
    }
    agent.destroy()
    assert.deepEqual(await seen(url), { arrived: 3, handled: [BODY, BODY, BODY], codes: [] })
  })

  await test('refuses a forged delivery', async (url) => {
    const { request, answer } = start(url, LENGTH, { signature: await sign('{}') })
    request.end(BODY)
    assert.deepEqual(await answer, [401, '{"title":"Unauthorized","status":401}'])
    assert.deepEqual((await seen(url)).codes, ['ERR_SIGNATURE_MISMATCH'])
  })

  await test('refuses a signature on two header lines', async (url) => {
    const { request, answer } = start(url, LENGTH, { signature: [genuine, genuine] })
    request.end(BODY)
    assert.deepEqual(await answer, [400, '{"title":"Bad Request","status":400}'])
    assert.deepEqual((await seen(url)).codes, ['ERR_SIGNATURE_MALFORMED'])
  })

  await test('refuses a delivery without a signature before any of its body arrives', async (url) => {
    const { request, answer } = start(url, LENGTH, { signature: [] })
    assert.equal((await answer)[0], 401)
    request.destroy()
  })

  await test('refuses a body that is too large before its end', async (url) => {
    const { request, answer } = start(url, CHUNKED)
    request.write('x'.repeat(4096))
    assert.equal((await answer)[0], 413)
    request.destroy()
  })

  for (const framing of [LENGTH, CHUNKED]) {
    const [how] = Object.keys(framing)
    await test(`refuses a body that stalls, with ${how}`, async (url) => {
      const { request, answer } = start(url, framing)
      request.write(BODY.slice(1))
      assert.equal((await answer)[0], 408)
      request.destroy()
    })

    await test(`handles nothing of a sender that leaves in the middle of its body, with ${how}`, async (url) => {
      const { request } = start(url, framing)
      request.write(BODY.slice(1))
      await until(url, ({ arrived }) => arrived === 1)
      request.destroy()
      const { handled, codes } = await until(url, ({ codes }) => codes.length > 0)
      assert.deepEqual([handled, codes], [[], ['ERR_BODY_INCOMPLETE']])
      const retry = start(url, framing)
      retry.request.end(BODY)
      assert.deepEqual(await retry.answer, [200, 'handled'])
    })
  }

  await test('fetches the secret once for two deliveries that wait for it', async (url) => {
    const service = await startService(200)
    const first = start(`${url}?secret=${service.url}`, LENGTH)
    first.request.end(BODY)
    await until(url, ({ arrived }) => arrived === 1)
    const second = start(url, LENGTH)
    second.request.end(BODY)
    await until(url, ({ arrived }) => arrived === 2)
    service.answer()
    assert.deepEqual(await first.answer, [200, 'handled'])
    assert.deepEqual(await second.answer, [200, 'handled'])
    assert.equal(service.calls(), 1)
  })

  await test('lets a delivery have the secret whose fetch began for a sender that left', async (url) => {
    const service = await startService(200)
    const first = start(`${url}?secret=${service.url}`, LENGTH)
    first.request.end(BODY)
    await until(url, ({ arrived }) => arrived === 1)
    const second = start(url, LENGTH)
    second.request.end(BODY)
    await until(url, ({ arrived }) => arrived === 2)
    first.request.destroy()
    service.answer()
    assert.deepEqual(await second.answer, [200, 'handled'])
  })

  await test('answers 503 where the payment service refuses the secret', async (url) => {
    const service = await startService(403)
    service.answer()
    const { request, answer } = start(`${url}?secret=${service.url}`, LENGTH)
    request.end(BODY)
    assert.deepEqual(await answer, [503, '{"title":"Service Unavailable","status":503}'])
  })

  /**
   * @param {string} name
   * @param {(url: string) => Promise<void>} run with the address of an endpoint of its own
   */
  async function test(name, run) {
    count += 1
    const url = `http://127.0.0.1:${port}/webhooks/${form}/${count}`
    await outcome.test(`${form}, over a socket: ${name}`, () => run(url))
    for (const server of servers.splice(0)) {
      server.close()
      server.closeAllConnections()
    }
  }

  /**
   * @param {string} url
   * @param {Record<string, string | number>} framing
   * @param {{ signature?: string | string[], agent?: Agent }} [changes]
   */
  function start(url, framing, { signature = genuine, agent } = {}) {
    const headers = { ...framing, 'Service-Signature': signature }
    const request = connect(url, { method: 'POST', headers, agent, signal: AbortSignal.timeout(LONGEST_MS) })
    // A server may close the connection of a request that it refused.
    request.on('error', () => undefined)
    request.flushHeaders()
    // Listens from now on, and not later, because two answers may arrive together.
    const answer = answerTo(request)
    answer.catch(() => undefined)
    return { request, answer }
  }

  /**
   * The part of the payment service that returns the secret, to every caller once `answer` is called.
   *
   * @param {number} code
   */
  async function startService(code) {
    let calls = 0
    /** @type {(value?: unknown) => void} */
    let answer = () => undefined
    const isReleased = new Promise((resolve) => (answer = resolve))
    const data = code === 200 ? { webhook_signature_secret: secret } : null
    const server = createServer((_request, response) => {
      calls += 1
      const body = JSON.stringify({ status: { code, message: '' }, data })
      void isReleased.then(() => response.writeHead(code).end(body))
    }).listen(0, '127.0.0.1')
    servers.push(server)
    await once(server, 'listening')
    const address = /** @type {import('node:net').AddressInfo} */ (server.address())
    return { url: `http://127.0.0.1:${address.port}`, calls: () => calls, answer }
  }
}

/** @param {import('node:http').ClientRequest} request */
async function answerTo(request) {
  /** @type {[import('node:http').IncomingMessage]} */
  const [response] = /** @type {any} */ (await once(request, 'response'))
  const { statusCode, headers } = response
  if (statusCode !== 200) assert.equal(headers['content-type'], 'application/problem+json')
  assert.equal(headers['www-authenticate'], statusCode === 401 ? 'Service-Signature' : undefined)
  return [statusCode, await text(response)]
}

/**
 * @param {string} url of an endpoint
 * @returns {Promise<import('./inside/server.js').Seen>}
 */
async function seen(url) {
  const response = await fetch(url, { signal: AbortSignal.timeout(LONGEST_MS) })
  return /** @type {Promise<import('./inside/server.js').Seen>} */ (response.json())
}

/**
 * @param {string} url
 * @param {(what: import('./inside/server.js').Seen) => boolean} isEnough
 */
async function until(url, isEnough) {
  const deadline = Date.now() + LONGEST_MS
  for (;;) {
    const what = await seen(url)
    if (isEnough(what)) return what
    if (Date.now() > deadline) throw new Error(`the endpoint has seen only ${JSON.stringify(what)}`)
  }
}
