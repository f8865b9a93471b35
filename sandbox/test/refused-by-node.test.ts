import { once } from 'node:events'
import { connect } from 'node:net'
import { PassThrough, type Duplex } from 'node:stream'
import type { Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { answerClientError } from '../server/http/errors.js'
import { Service } from './support/service.js'

/** Sends bytes that `fetch` would never send, and returns the head and the body of the answer. */
async function say(service: Service, text: string): Promise<readonly [head: string, body: string]> {
  const socket = connect(Number(new URL(service.sandbox.url).port), '127.0.0.1').setEncoding('utf8')
  await once(socket, 'connect')
  socket.write(text)
  return read(socket)
}

async function read(stream: Duplex): Promise<readonly [head: string, body: string]> {
  let heard = ''
  for await (const chunk of stream) heard += String(chunk)
  return heard.split('\r\n\r\n') as [string, string]
}

function envelope(code: number, message: string, errors: readonly object[] = []) {
  return { status: { code, message, errors }, data: null, count: 0, next: null, previous: null }
}

const LAST = 'Connection: close\r\n'

describe('A request that Node would refuse by itself is answered in the envelope', () => {
  it.each(['HTTP/1.1', 'HTTP/1.0'])('a missing Host, with %s', async (version) => {
    const service = await Service.start()
    const [head, body] = await say(service, `GET /api/v1.4/customers/ ${version}\r\n${LAST}\r\n`)
    expect(head).toContain(' 400 Bad Request')
    expect(head.toLowerCase()).toContain('content-type: application/json')
    expect(JSON.parse(body)).toEqual(envelope(400, 'The request is not valid', [{ Host: 'is missing' }]))
  })

  it('an expectation that is not known', async () => {
    const service = await Service.start()
    const request = `GET /api/v1.4/customers/ HTTP/1.1\r\nHost: localhost\r\nExpect: nonsense\r\n${LAST}\r\n`
    const [head, body] = await say(service, request)
    expect(head).toContain('HTTP/1.1 417 Expectation Failed')
    expect(head.toLowerCase()).toContain('content-type: application/json')
    expect(JSON.parse(body)).toEqual(envelope(417, 'The only Expect that is known is 100-continue'))
  })

  it('Expect: 100-continue is answered as usual', async () => {
    const service = await Service.start()
    const key = service.sandbox.apiKeys.account
    const [first, second] = await say(
      service,
      `POST /api/v1.4/customers/ HTTP/1.1\r\nHost: localhost\r\nX-Api-Key: ${key}\r\nExpect: 100-continue\r\n` +
        `Content-Type: application/json\r\nContent-Length: 2\r\n${LAST}\r\n{}`,
    )
    expect(first).toBe('HTTP/1.1 100 Continue')
    expect(second).toContain('HTTP/1.1 200 OK')
  })

  it('headers that take too long', async () => {
    const socket = new PassThrough()
    const error = Object.assign(new Error('Request timeout'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' })
    answerClientError(error, socket as unknown as Socket)
    const [head, body] = await read(socket)
    expect(head).toContain('HTTP/1.1 408 Request Timeout')
    expect(JSON.parse(body)).toEqual(envelope(408, 'The request took too long'))
  })
})
