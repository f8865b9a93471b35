import { hmac, now, plain, secret, timestamp, v3Message } from './deliveries.js'

/** Requests with a small body, for tests of how a host shows a refusal. */
export const options = { secret, now }

/** The value of `Service-Signature`. */
export const valid = signedAt(timestamp)
/** Requests that are answered with 401, by the reason. */
export const refused = {
  forged: `t=${timestamp},v3=${'0'.repeat(64)}`,
  'not signed': undefined,
  'too old': signedAt(timestamp - 3600),
  'without v3': `t=${timestamp},v2=${'0'.repeat(64)}`,
}

function signedAt(t: number): string {
  return `t=${t},v3=${hmac(secret, v3Message(plain, t))}`
}

export async function send(url: string, signature: string | undefined, method = 'POST'): Promise<Response> {
  const headers = signature === undefined ? {} : { 'Service-Signature': signature }
  return fetch(url, { method, headers, ...(method === 'POST' && { body: plain }) })
}
