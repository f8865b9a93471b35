// The fetch adapter with the Request, Response, streams, timers and cryptography of the runtime. ../sockets.js tests it
// with a server; tests that do not depend on the runtime are in test/contract and packages/fetch/test.
import { BODY, cut, delivery, secret, sign, streamOf, timestamp } from './deliveries.js'
import { equal } from './outcome.js'

/**
 * @typedef {import('./deliveries.js').Changes} Changes
 * @typedef {import('@service-signature/fetch').ServiceSignatureOptions & { dispatcher?: undefined }} Options
 *
 * @typedef {object} Library the tested functions
 * @property {import('./vectors.js').Core} core
 * @property {typeof import('@service-signature/fetch').serviceSignature} serviceSignature
 * @property {typeof import('@service-signature/explain').explain} explain
 */

// With every byte: a byte order mark is one of the body's characters.
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
const MEBIBYTE = 1024 * 1024
const zeros = `t=${timestamp},v3=${'0'.repeat(64)}`
const large = `{"text":"${'x'.repeat(MEBIBYTE - 11)}"}`

/**
 * Made when the suite runs: Workers allow no such work while a module is loaded.
 *
 * @returns {Promise<(readonly [name: string, changes: Changes & { body?: string }])[]>}
 */
async function acceptedCases() {
  const header = (await sign(BODY)).replace(',', ' ,\tv4=x, ')
  const length = `${BODY.length}`
  return [
    ['in one piece', {}],
    ['of 1 MiB, the default limit', { body: large }],
    ['of 1 MiB in pieces', { body: large, sent: streamOf(cut(large, 60_000)).stream }],
    ['in pieces of one byte', { sent: streamOf(cut(BODY, 1)).stream }],
    ['of a declared length', { sent: streamOf(cut(BODY, 7)).stream, headers: { 'Content-Length': length } }],
    ['in a stream of bytes', { sent: new ReadableStream({ type: 'bytes', start: fill }) }],
    ['in a Blob', { sent: new Blob([BODY]) }],
    ['with characters outside ASCII', { body: '{"text":"\u00e9\u4e2d\ud83d\ude00"}' }],
    ['with a byte order mark', { body: '\ufeff{"order":1}' }],
    ['with the content type of a form', { headers: { 'Content-Type': 'application/x-www-form-urlencoded' } }],
    ['encoded as identity', { headers: { 'Content-Encoding': 'identity' } }],
    ['with spaces and tabs in the header', { signature: [header] }],
  ]
}

/** @returns {Promise<(readonly [name: string, changes: Changes, code: keyof typeof STATUS, options?: Options])[]>} */
async function refusedCases() {
  const genuine = await sign(BODY)
  const reset = streamOf(cut(BODY, 7), (controller) => {
    controller.error(new Error('reset'))
  })
  const secret = () => Promise.reject(new Error('down'))
  const [old, future] = [await sign(BODY, { t: timestamp - 301 }), await sign(BODY, { t: timestamp + 61 })]
  return [
    ['without a signature', { signature: [] }, 'ERR_SIGNATURE_MISSING'],
    ['without v3', { signature: [`t=${timestamp}`] }, 'ERR_SIGNATURE_VERSION_MISSING'],
    ['that is too old', { signature: [old] }, 'ERR_TIMESTAMP_TOO_OLD'],
    ['from the future', { signature: [future] }, 'ERR_TIMESTAMP_IN_FUTURE'],
    ['with another digest', { signature: [zeros] }, 'ERR_SIGNATURE_MISMATCH'],
    ['with one byte changed', { sent: BODY.replace('10.5', '10.6') }, 'ERR_SIGNATURE_MISMATCH'],
    ['with an empty body', { sent: '' }, 'ERR_SIGNATURE_MISMATCH'],
    ['with no body', { sent: null }, 'ERR_SIGNATURE_MISMATCH'],
    ['by GET', { method: 'GET', signature: [genuine] }, 'ERR_SIGNATURE_MISMATCH'],
    ['with an empty header', { signature: [''] }, 'ERR_SIGNATURE_MALFORMED'],
    ['with a header outside ASCII', { signature: [`${genuine},\u00e9=1`] }, 'ERR_SIGNATURE_MALFORMED'],
    ['with two headers', { signature: [genuine, genuine] }, 'ERR_SIGNATURE_MALFORMED'],
    ['with two headers, the valid one last', { signature: [zeros, genuine] }, 'ERR_SIGNATURE_MALFORMED'],
    ['that is encoded', { headers: { 'Content-Encoding': 'gzip' } }, 'ERR_BODY_ENCODED'],
    ['that is not JSON', { body: 'not JSON' }, 'ERR_BODY_NOT_JSON'],
    ['that is not UTF-8', { body: Uint8Array.of(0x22, 0xff, 0x22) }, 'ERR_BODY_NOT_JSON'],
    ['that is nested too deeply', { body: '['.repeat(100_000) }, 'ERR_BODY_NOT_JSON'],
    ['over the limit', { sent: `${large} ` }, 'ERR_BODY_TOO_LARGE'],
    ['shorter than declared', { headers: { 'Content-Length': '99' } }, 'ERR_BODY_INCOMPLETE'],
    ['that breaks off', { sent: reset.stream }, 'ERR_BODY_INCOMPLETE'],
    ['whose secret is not available', {}, 'ERR_SECRET_UNAVAILABLE', { secret }],
  ]
}

/** The answer to the caller, as the adapter's documentation specifies it. */
const STATUS = /** @type {const} */ ({
  ERR_SIGNATURE_MISSING: [401, 'Unauthorized'],
  ERR_SIGNATURE_VERSION_MISSING: [401, 'Unauthorized'],
  ERR_TIMESTAMP_TOO_OLD: [401, 'Unauthorized'],
  ERR_TIMESTAMP_IN_FUTURE: [401, 'Unauthorized'],
  ERR_SIGNATURE_MISMATCH: [401, 'Unauthorized'],
  ERR_SIGNATURE_MALFORMED: [400, 'Bad Request'],
  ERR_BODY_NOT_JSON: [400, 'Bad Request'],
  ERR_BODY_INCOMPLETE: [400, 'Bad Request'],
  ERR_BODY_TIMEOUT: [408, 'Request Timeout'],
  ERR_DELIVERY_IN_PROGRESS: [409, 'Conflict'],
  ERR_BODY_TOO_LARGE: [413, 'Content Too Large'],
  ERR_BODY_ENCODED: [415, 'Unsupported Media Type'],
  ERR_BODY_CONSUMED: [500, 'Internal Server Error'],
  ERR_SECRET_UNAVAILABLE: [503, 'Service Unavailable'],
})

/**
 * @param {Library} library
 * @param {import('./outcome.js').Outcome} outcome
 */
export async function runFetch({ core, serviceSignature, explain }, outcome) {
  for (const [name, changes] of await acceptedCases()) {
    await outcome.test(`accepts a delivery ${name}`, async () => {
      await endpoint().accepts(await delivery(changes), changes.body)
    })
  }
  for (const [name, changes, code, options] of await refusedCases()) {
    await outcome.test(`refuses a delivery ${name}`, async () => {
      await endpoint(options).refuses(await delivery(changes), code)
    })
  }

  await outcome.test('accepts a delivery that is signed now, by the clock of the runtime', async () => {
    const signature = [await sign(BODY, { t: Math.floor(Date.now() / 1000) })]
    await endpoint({ now: Date.now }).accepts(await delivery({ signature }))
  })

  await outcome.test('accepts a delivery of which a clone was read', async () => {
    const request = await delivery()
    await request.clone().text()
    await endpoint().accepts(request)
  })

  for (const read of [
    (/** @type {Request} */ request) => request.json(),
    (/** @type {Request} */ request) => request.body?.getReader(),
  ]) {
    await outcome.test('refuses a delivery whose body was read or locked', async () => {
      const request = await delivery()
      await read(request)
      await endpoint().refuses(request, 'ERR_BODY_CONSUMED')
    })
  }

  await outcome.test('leaves a body unread whose declared length is over the limit', async () => {
    const request = await delivery({ headers: { 'Content-Length': `${BODY.length}` } })
    await endpoint({ bodyLimit: BODY.length - 1 }).refuses(request, 'ERR_BODY_TOO_LARGE')
    equal(request.bodyUsed, false)
  })

  await outcome.test('cancels the rest of a body at the limit', async () => {
    const long = streamOf(cut(large, 100))
    await endpoint({ bodyLimit: 250 }).refuses(await delivery({ sent: long.stream }), 'ERR_BODY_TOO_LARGE')
    equal(long.isCancelled, true)
  })

  await outcome.test('cancels a body that stalls', async () => {
    const stalled = streamOf(cut(BODY, 7), () => new Promise(() => undefined))
    await endpoint({ bodyTimeoutSeconds: 0.05 }).refuses(
      await delivery({ sent: stalled.stream }),
      'ERR_BODY_TIMEOUT',
    )
    equal(stalled.isCancelled, true)
  })

  await outcome.test('answers 204 where the handler returns nothing', async () => {
    const { status, body } = await endpoint({}, () => undefined).handle(await delivery())
    equal([status, body], [204, null])
  })

  await outcome.test('answers 204 after the dispatcher, and hands it the event', async () => {
    /** @type {unknown[]} */
    const payloads = []
    const dispatcher = core.createDispatcher().otherwise(({ payload }) => void payloads.push(payload))
    const { status, body } = await serviceSignature({ secret, now, dispatcher })(await delivery())
    equal([status, body, payloads], [204, null, [JSON.parse(BODY)]])
  })

  await outcome.test('returns the Response of the handler itself', async () => {
    const answer = new Response(streamOf(cut('handled', 2)).stream, {
      status: 202,
      headers: { 'X-Mine': 'yes' },
    })
    equal((await endpoint({}, () => answer).handle(await delivery())) === answer, true)
  })

  await outcome.test('leaves an error of the handler to the host', async () => {
    const failure = new Error('the handler failed')
    const failing = endpoint({}, () => Promise.reject(failure))
    equal(
      await failing.handle(await delivery()).catch((/** @type {unknown} */ error) => error === failure),
      true,
    )
  })

  await outcome.test('acknowledges a duplicate and does not handle it again', async () => {
    const remembering = endpoint({ replay: core.memoryReplayStore() })
    await remembering.refuses(await delivery({ signature: [zeros] }), 'ERR_SIGNATURE_MISMATCH')
    await remembering.accepts(await delivery())
    const answer = await remembering.handle(await delivery())
    equal([answer.status, await answer.text(), remembering.handled.length], [200, '', 1])
  })

  for (const fail of [
    () => new Response(null, { status: 503 }),
    () => Promise.reject(new Error('the handler failed')),
  ]) {
    await outcome.test('handles the retry of a delivery that failed', async () => {
      const results = [fail, () => undefined]
      const failing = endpoint({ replay: core.memoryReplayStore() }, () => results.shift()?.())
      await failing.handle(await delivery()).catch(() => undefined)
      equal((await failing.handle(await delivery())).status, 204)
      equal([(await failing.handle(await delivery())).status, failing.handled.length], [200, 2])
    })
  }

  await outcome.test('answers 409 while the same delivery is being handled', async () => {
    /** @type {(response: Response) => void} */
    let finish = () => undefined
    const working = endpoint(
      { replay: core.memoryReplayStore() },
      () => new Promise((resolve) => (finish = resolve)),
    )
    const first = working.handle(await delivery())
    // The store and the digests of the runtime need some turns until the handler runs.
    while (working.handled.length === 0) await new Promise((resolve) => setTimeout(resolve, 0))
    await working.refuses(await delivery(), 'ERR_DELIVERY_IN_PROGRESS')
    finish(new Response('handled'))
    equal((await first).status, 200)
  })

  await outcome.test('explain finds a line break after the body', async () => {
    const { ok, hypotheses } = await explain(`${BODY}\n`, await sign(BODY), { secret, now })
    equal([ok, hypotheses.map(({ names }) => names)], [false, [['body-trailing-newline']]])
  })

  /**
   * @param {Options} [options]
   * @param {() => unknown} [answer]
   */
  function endpoint(options, answer = () => new Response('handled')) {
    /** @type {string[]} */
    const handled = []
    /** @type {string[]} */
    const codes = []
    const handle = serviceSignature(
      { secret, now, onRejected: ({ code }) => void codes.push(code), ...options },
      ({ rawBody }) => {
        handled.push(decoder.decode(rawBody))
        return /** @type {Response} */ (answer())
      },
    )
    return {
      handle,
      handled,
      /**
       * @param {Request} request
       * @param {string} [body]
       */
      async accepts(request, body = BODY) {
        const refusals = codes.length
        const answer = await handle(request)
        equal([answer.status, await answer.text(), codes.slice(refusals)], [200, 'handled', []])
        equal(handled.at(-1), body)
      },
      /**
       * @param {Request} request
       * @param {keyof typeof STATUS} code
       */
      async refuses(request, code) {
        const before = handled.length
        const answer = await handle(request)
        const { status, headers } = answer
        const [expected, title] = STATUS[code]
        equal([codes.at(-1), handled.length], [code, before])
        equal([status, await answer.text()], [expected, JSON.stringify({ title, status: expected })])
        equal(headers.get('content-type'), 'application/problem+json')
        equal(headers.get('www-authenticate'), expected === 401 ? 'Service-Signature' : null)
        equal(headers.has('retry-after'), expected === 409 || expected === 503)
      },
    }
  }
}

function now() {
  return timestamp * 1000
}

/** @param {import('node:stream/web').ReadableByteStreamController} controller */
function fill(controller) {
  controller.enqueue(new TextEncoder().encode(BODY))
  controller.close()
}
