import { execFileSync, spawnSync } from 'node:child_process'
import { createHmac } from 'node:crypto'

/** Deliveries whose signatures were made with `openssl`, not with the code under test. */
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

const hasOpenssl = spawnSync('openssl', ['version']).status === 0
if (!hasOpenssl) console.warn('\nLEFT OUT: no openssl here, so the expected digests come from node:crypto.\n')

/** HMAC-SHA256 in hex, by openssl. */
export function openssl(key: string, message: string | Uint8Array): string {
  if (!hasOpenssl) return createHmac('sha256', key).update(message).digest('hex')
  const args = ['dgst', '-sha256', '-mac', 'HMAC', '-macopt', `hexkey:${hex(key)}`]
  return /[0-9a-f]{64}/.exec(execFileSync('openssl', args, { input: message, encoding: 'utf8' }))![0]
}

export function v3Message(body: Uint8Array | string, t: number | string = timestamp): string {
  return Buffer.from(body as string).toString('base64') + String(t)
}

function hex(text: string): string {
  return Buffer.from(text).toString('hex')
}
