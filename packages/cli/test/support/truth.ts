import { createHash } from 'node:crypto'
import { hmac } from '../../../core/test/support/hmac.js'

export { hmac }

/** Signatures are made with node:crypto alone, not with the code under test. */
export const secret = 'test_signature_key'
export const apiKey = 'test_api_key'
export const timestamp = 1743090080

/** The keys in the environment. */
export const env = { SERVICE_SIGNATURE_SECRET: secret }
export const bothKeys = { ...env, SERVICE_SIGNATURE_API_KEY: apiKey }

/** The known answer of public code: the 17 bytes with their quotes. */
export const known = {
  body: '"webhook_payload"',
  header: 't=1743090080,v3=ca13480c8142f2f2b44822c764909027974e84b3e8c94457a314f129d8d60148',
}

/** The header value with v3, as the specification defines it. */
export function signed(body: string | Uint8Array, t: number | string = timestamp, key = secret): string {
  return `t=${t},v3=${v3(body, t, key)}`
}

/** The digest of v3. */
export function v3(body: string | Uint8Array, t: number | string = timestamp, key = secret): string {
  return hmac(key, Buffer.from(body as string).toString('base64') + String(t))
}

/** The digest of v1, of a body that has no spaces. */
export function v1(body: string, t: number | string = timestamp): string {
  return hmac(apiKey, body + String(t))
}

/** How messages name a key: by the beginning of its SHA-256. */
export function fingerprintOf(key: string): string {
  return `sha256:${createHash('sha256').update(key).digest('hex').slice(0, 8)}`
}
