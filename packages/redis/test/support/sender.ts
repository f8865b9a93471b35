import { createHmac } from 'node:crypto'

export const SECRET = 'test_signature_key'

/** A body whose retries have the same bytes. */
export function bodyOf(id: string): string {
  return JSON.stringify({ id, type: 'intent.processed' })
}

interface SendOptions {
  readonly secret?: string
  /** When the sender hangs up. */
  readonly signal?: AbortSignal
}

/** Delivers it as the payment service does, and resolves to the status of the answer, or to 0 if there was no answer. */
export async function send(port: number, body: string, options: SendOptions = {}): Promise<number> {
  try {
    const response = await deliver(port, body, options)
    await response.arrayBuffer()
    return response.status
  } catch {
    return 0
  }
}

/** Delivers it as the payment service does. */
export function deliver(
  port: number,
  body: string,
  { secret = SECRET, ...options }: SendOptions = {},
): Promise<Response> {
  const timestamp = String(Math.floor(Date.now() / 1000))
  const message = Buffer.from(body).toString('base64') + timestamp
  const digest = createHmac('sha256', secret).update(message).digest('hex')
  return fetch(`http://127.0.0.1:${port}/webhooks`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'Service-Signature': `t=${timestamp},v3=${digest}` },
    body,
    ...options,
  })
}
