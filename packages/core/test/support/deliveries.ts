export { hmac } from './hmac.js'

/** Deliveries whose signatures are made with node:crypto alone, not with the code under test. */
export const secret = 'test_signature_key'
export const apiKey = 'test_api_key'
export const timestamp = 1743090080
export const now = () => timestamp * 1000

/** The known answer of public code: the 17 bytes with their quotes. */
export const known = {
  body: '"webhook_payload"',
  header: 't=1743090080,v3=ca13480c8142f2f2b44822c764909027974e84b3e8c94457a314f129d8d60148',
}

/** A body whose v1 and v2 texts are the body itself. */
export const plain = '{"a":1,"b":"x"}'

export function v3Message(body: Uint8Array | string, t: number | string = timestamp): string {
  return Buffer.from(body as string).toString('base64') + String(t)
}
