import type { IncomingMessage } from 'node:http'
import { describe, expect, it } from 'vitest'
import { rawHeader, startEndpoint, type Received } from '../../cli/test/support/endpoint.js'
import { v3 } from './support/truth.js'
import { auditOf } from './support/audit.js'
import { endpointOf, LIMIT } from './support/recipe.js'
import { serve } from './support/serve.js'

const MEBIBYTE = 1024 * 1024
const now = 1743090080
const clock = { now: () => now * 1000 }

/** The deliveries of one case as the endpoint sees them. */
async function received(only: string): Promise<readonly Received[]> {
  const endpoint = await startEndpoint((res) => res.writeHead(204).end())
  await auditOf(endpoint.url, { only, ...clock })
  // After the valid purchase that opens each audit.
  return endpoint.received.slice(only === 'genuine purchase' ? 0 : 1)
}

function linesOf({ rawHeaders }: Received, name: string): readonly string[] {
  return rawHeaders.filter((_text, index) => index % 2 === 1 && rawHeaders[index - 1] === name)
}

describe('a valid delivery', () => {
  it('is a POST of JSON, signed as specified', async () => {
    const [delivery] = await received('genuine purchase')
    expect(delivery).toMatchObject({ method: 'POST', url: '/webhooks' })
    expect(rawHeader(delivery!, 'Content-Type')).toBe('application/json')
    expect(rawHeader(delivery!, 'Content-Length')).toBe(String(delivery!.body.length))
    const digest = '[0-9a-f]{64}'
    expect(rawHeader(delivery!, 'Service-Signature')).toMatch(
      new RegExp(`^t=${now},v1=${digest},v2=${digest},v3=${v3(delivery!.body, now)}$`),
    )
  })

  it('is a new one each time, except for the case that repeats it', async () => {
    const endpoint = await startEndpoint((res) => res.writeHead(204).end())
    await auditOf(endpoint.url, { only: 'genuine', ...clock })
    await auditOf(endpoint.url, { only: 'genuine', ...clock })
    const bodies = endpoint.received.map(({ body }) => String(body))
    expect(new Set(bodies).size).toBe(4)

    const [first, again] = await received('delivered twice')
    expect(again).toEqual(first)
  })
})

describe('on the wire', () => {
  it.each([
    ['spaces inside strings', /"custom_message":" {2}Jane {2}Doe \\n 12 High Street "/],
    ['letters beyond ASCII', /"custom_message":"J\u00c3\u00b5ul .*\u00f0\u009f\u008e\u0084 a\/b"/],
    ['escaped letters', /"custom_message":"J\\u00f5ul \\u2028 \\u4e2d\\u6587 \\ud83c\\udf84 a\\\/b"/],
    ['number 10.0', /"amount":\{"value":10\.0,"currency":"EUR"\}/],
    ['number over 2^53', /"number":9007199254740993[,}]/],
    ['keys in odd order', /"b":1,"10":2,"2":3,"A":4/],
    ['pretty-printed body', /^\{\n {2}"type": /],
    ['line break at the end', /\}\n$/],
    ['body of 500 KB', /^.{500000}/],
    ['unknown event type', /^\{"type":"refund\.created",/],
    ['tampered amount', /"amount":\{"value":5050\.5,/],
    ['tampered number 10.0', /"amount":\{"value":10,/],
    ['byte order mark', /^\u00ef\u00bb\u00bf\{/],
    ['body not in UTF-8', /caf\u00e9"/],
    ['field named __proto__', /"__proto__":\{"isAdmin":true\}/],
  ])('the case "%s" sends what its name says', async (only, text) => {
    const [delivery] = await received(only)
    expect(delivery!.body.toString('latin1')).toMatch(text)
  })

  it('a forgery of 3 MB is sent in chunks', async () => {
    const [delivery] = await received('forged 3 MB')
    expect(rawHeader(delivery!, 'Transfer-Encoding')).toBe('chunked')
    expect(delivery!.body).toHaveLength(3 * MEBIBYTE)
  })

  it('a header that is sent twice is two lines', async () => {
    const [one, other] = await received('header sent twice')
    const right = v3(one!.body, now)
    expect(linesOf(one!, 'Service-Signature').map((line) => line.includes(right))).toEqual([true, false])
    expect(linesOf(other!, 'Service-Signature').map((line) => line.includes(right))).toEqual([false, true])
  })

  it('the header name of "header in lower case" is in lower case', async () => {
    const [delivery] = await received('header in lower case')
    expect(linesOf(delivery!, 'service-signature')).toHaveLength(1)
    expect(linesOf(delivery!, 'Service-Signature')).toHaveLength(0)
  })

  it('a chunked body has no length', async () => {
    const [delivery] = await received('chunked body')
    expect(rawHeader(delivery!, 'Transfer-Encoding')).toBe('chunked')
    expect(rawHeader(delivery!, 'Content-Length')).toBeUndefined()
    expect(JSON.parse(String(delivery!.body))).toMatchObject({ type: 'transaction.purchase.successful' })
  })

  it('a slow body is sent in pieces that split characters', async () => {
    const pieces: Buffer[] = []
    const url = await serve((req: IncomingMessage, res) => {
      pieces.length = 0
      req.on('data', (piece: Buffer) => pieces.push(piece)).on('end', () => res.end())
    })
    await auditOf(url, { only: 'body in slow pieces' })
    expect(pieces.length).toBeGreaterThan(1)
    expect(pieces.some((piece) => piece.toString().startsWith('\ufffd'))).toBe(true)
    expect(Buffer.concat(pieces).toString()).not.toContain('\ufffd')
  })

  it('a body that is cut short is shorter than declared, and the sender hangs up after it', async () => {
    const ends: unknown[] = []
    const url = await serve((req, res) => {
      let length = 0
      req.on('data', (piece: Buffer) => (length += piece.length))
      req.on('end', () => res.writeHead(204).end())
      req.on('error', () => ends.push(Number(req.headers['content-length']) - length))
    })
    await auditOf(url, { only: 'cut short' })
    expect(ends).toEqual([100])
  })

  it('a forgery of 64 MB declares that length, and only begins to send it', async () => {
    const announced: unknown[] = []
    let length = 0
    const url = await serve((req, res) => {
      announced.push(req.headers['content-length'])
      length = 0
      req.on('end', () => res.writeHead(204).end())
      req.on('data', (piece: Buffer) => {
        length += piece.length
        if (length === 4 * MEBIBYTE) res.writeHead(413).end()
      })
    })
    expect(await auditOf(url, { only: 'forged 64 MB' })).toMatchObject({
      passed: 1,
      cases: [{ got: '413' }],
    })
    expect(announced.at(-1)).toBe(String(64 * MEBIBYTE))
  })
})

describe('an audit', () => {
  it('has one connection at a time, and sends less than 10 MB in all', async () => {
    let open = 0
    let most = 0
    const sockets = new Set<IncomingMessage['socket']>()
    const listener = endpointOf({})
    const url = await serve((req, res) => {
      if (!sockets.has(req.socket)) {
        sockets.add(req.socket)
        most = Math.max(most, ++open)
        req.socket.once('close', () => open--)
      }
      listener(req, res)
    })
    expect(await auditOf(url)).toMatchObject({ state: 'done', failed: 0 })
    const bytes = [...sockets].reduce((sum, { bytesRead }) => sum + bytesRead, 0)
    expect(bytes).toBeGreaterThan(LIMIT)
    expect(bytes).toBeLessThan(10 * 1000 * 1000)
    expect(most).toBe(1)
  })

  it('follows no redirect, and finds that the delivery is lost', async () => {
    let visits = 0
    const elsewhere = await serve((_req, res) => {
      visits++
      res.end()
    })
    const url = await serve((_req, res) => res.writeHead(308, { Location: elsewhere }).end())
    const report = await auditOf(url, { only: 'genuine' })
    expect(report.cases.map(({ got, weakness }) => [got, weakness])).toEqual([
      ['308 (redirect)', 'loses'],
      ['308 (redirect)', 'loses'],
    ])
    expect(visits).toBe(0)
  })
})
