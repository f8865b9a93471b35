import { listen } from '@service-signature/contract'
import Koa3 from 'koa'
import Koa2 from 'koa2'
import { onTestFinished } from 'vitest'
import { hmac, now, plain, secret, timestamp, v3Message } from '../../../core/test/support/deliveries.js'

export const versions = [
  ['Koa 2', Koa2],
  ['Koa 3', Koa3],
] as const

export const options = { secret, now }

/** The value of `Service-Signature`. */
export const valid = signedAt(timestamp)
/** What is answered with 401, by the reason. */
export const refused = {
  forged: `t=${timestamp},v3=${'0'.repeat(64)}`,
  'not signed': undefined,
  'too old': signedAt(timestamp - 3600),
  'without v3': `t=${timestamp},v2=${'0'.repeat(64)}`,
}

function signedAt(t: number): string {
  return `t=${t},v3=${hmac(secret, v3Message(plain, t))}`
}

/** Resolves to the origin of a server that runs until the test ends. */
export async function serve(app: Koa3): Promise<string> {
  const server = await listen(app.callback())
  onTestFinished(() => server.close())
  return `http://127.0.0.1:${server.port}`
}

export async function send(url: string, signature: string | undefined): Promise<Response> {
  const headers = signature === undefined ? {} : { 'Service-Signature': signature }
  return fetch(url, { method: 'POST', headers, body: plain })
}
