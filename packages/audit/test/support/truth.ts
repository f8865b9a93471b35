import { hmac } from '../../../core/test/support/hmac.js'

/** Signatures are made only with node:crypto, not with the code under test. */
export const secret = 'test_signature_key'
export const apiKey = 'test_api_key'

/** The digest of v3. */
export function v3(body: string | Uint8Array, t: number): string {
  return hmac(secret, Buffer.from(body as string).toString('base64') + String(t))
}
