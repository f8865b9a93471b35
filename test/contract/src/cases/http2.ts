import type { WebhookErrorCode } from '@service-signature/core'
import type { ReceiverOptions } from '@service-signature/core/node'
import { once } from 'node:events'
import { connect } from 'node:http2'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { WEBHOOKS, type Host } from '../host.js'
import { apiKey, now, secret, sign, transaction } from '../support/deliveries.js'
import { FrameClient } from '../support/frames.js'

/** RFC 9113, 7. */
const RESETS = [
  ['NO_ERROR', 0],
  ['INTERNAL_ERROR', 2],
  ['CANCEL', 8],
] as const

const forged = sign(transaction, { secret: 'another_key' })

/** The cases of a host whose server speaks HTTP/2: those that depend on how Node presents its streams. */
export function http2(host: Host): void {
  describe.runIf(host.speaksHttp2)('over HTTP/2', () => {
    it('a valid delivery is accepted, and a forged one refused', async () => {
      const { handled, rejected, send } = await serve(host)
      expect(await send(sign(transaction))).toBe(200)
      expect(await send(forged)).toBe(401)
      expect(rejected).toEqual(['ERR_SIGNATURE_MISMATCH'])
      expect(handled).toHaveBeenCalledOnce()
    })

    it.each(RESETS)('a body that RST_STREAM with %s cuts off is incomplete', async (...reset) => {
      const { port, handled, rejected, send } = await serve(host)
      const client = await open(port)
      client.begin(WEBHOOKS, { 'service-signature': sign(transaction) })
      client.data(transaction.subarray(0, 100))
      client.reset(reset[1])
      await expect.poll(() => rejected).toEqual(['ERR_BODY_INCOMPLETE'])
      expect(handled).not.toHaveBeenCalled()
      expect(await send(sign(transaction))).toBe(200)
      expect(handled).toHaveBeenCalledOnce()
    })

    it('a body whose sender hangs up is incomplete', async () => {
      const { port, handled, rejected } = await serve(host)
      const client = await open(port)
      client.begin(WEBHOOKS, { 'service-signature': sign(transaction) })
      client.data(transaction.subarray(0, 100))
      await client.leave()
      await expect.poll(() => rejected).toEqual(['ERR_BODY_INCOMPLETE'])
      expect(handled).not.toHaveBeenCalled()
    })

    it('a refusal has no header of HTTP/1.1, about which Node would warn', async () => {
      const warn = vi.spyOn(process, 'emitWarning').mockReturnValue()
      const { handled, rejected, send } = await serve(host, { bodyLimit: 5000 })
      expect(await send('garbage')).toBe(400)
      expect(await send(forged)).toBe(401)
      expect(await send(sign(transaction), Buffer.alloc(6000))).toBe(413)
      expect(rejected).toEqual(['ERR_SIGNATURE_MALFORMED', 'ERR_SIGNATURE_MISMATCH', 'ERR_BODY_TOO_LARGE'])
      const hasty = await serve(host, { bodyTimeoutSeconds: 0.01 })
      expect(await hasty.send(sign(transaction), null)).toBe(408)
      expect(hasty.rejected).toEqual(['ERR_BODY_TIMEOUT'])
      expect(warn.mock.calls).toEqual([])
      warn.mockRestore()
      for (const { mock } of [handled, hasty.handled]) expect(mock.calls).toEqual([])
    })
  })
}

/** A connection that ends before its server is closed. */
async function open(port: number): Promise<FrameClient> {
  const client = await FrameClient.connect(port)
  onTestFinished(() => client.leave())
  return client
}

/** Starts a host for the current test. */
async function serve(host: Host, options: ReceiverOptions<unknown> = {}) {
  const handled = vi.fn()
  const rejected: WebhookErrorCode[] = []
  const running = await host.start({
    options: { secret, apiKey, now, ...options, onRejected: ({ code }) => rejected.push(code) },
    handler: handled,
    isHttp2: true,
  })
  const session = connect(`http://127.0.0.1:${running.port}`)
  onTestFinished(async () => {
    // Node 20 crashes if a client is destroyed while it processes the end of a stream that its server closes.
    await new Promise(setImmediate)
    session.destroy()
    await running.close()
  })

  /** Resolves to the status. Without a body the stream stays open. */
  const send = async (signature: string, body: Buffer | null = transaction): Promise<unknown> => {
    const headers = { 'content-type': 'application/json', 'service-signature': signature }
    const stream = session.request({ ':method': 'POST', ':path': WEBHOOKS, ...headers })
    if (body !== null) stream.end(body)
    const [answer] = (await once(stream, 'response')) as [Record<string, unknown>]
    stream.resume()
    await once(stream, 'end')
    return answer[':status']
  }
  return { port: running.port, handled, rejected, send }
}
