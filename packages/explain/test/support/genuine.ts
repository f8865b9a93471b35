import { createHmac } from 'node:crypto'

/** Deliveries of the payment service, made only with node:crypto, as its documentation describes. */

export const secret = 'wh/7Qp0+Vn3xZt8LrYc2MdKe'
export const apiKey = 'acct_5f2b9d1c77e04a6c'
export const timestamp = 1743090080
export const t = String(timestamp)

/** Twelve seconds later, when the delivery arrives. */
export const now = (timestamp + 12) * 1000

/** A body as the service prints it, with Python: spaces, floats, escapes. */
export const event =
  '{"type": "intent.processed", "intent_type": "PAYMENT", "data": {"intent_id": "int_81f0", "intent": {"id": "int_81f0", ' +
  '"status": "PROCESSED", "amount": 50.0, "amount_currency": "EUR", "items": 3, "custom_fields": {"EXTERNAL": "Zo\\u00eb", ' +
  '"link": "https://shop.example/5"}, "method": {}, "created": "2025-03-27T15:41:20.123456Z"}}, "api_version": "1.1"}'

/** The same with its keys sorted and without spaces, the text that v2 signs, written out by hand. */
export const canonicalEvent =
  '{"api_version":"1.1","data":{"intent":{"amount":50.0,"amount_currency":"EUR","created":"2025-03-27T15:41:20.123456Z",' +
  '"custom_fields":{"EXTERNAL":"Zo\\u00eb","link":"https://shop.example/5"},"id":"int_81f0","items":3,"method":{},' +
  '"status":"PROCESSED"},"intent_id":"int_81f0"},"intent_type":"PAYMENT","type":"intent.processed"}'

/** A fixture in a file of its own, in several lines. All printers print it alike. */
export const fixture = '{\n  "type": "intent.processed",\n  "name": "Ann Lee",\n  "amount": 7\n}\n'
export const canonicalFixture = '{"amount":7,"name":"AnnLee","type":"intent.processed"}'

/** A body with letters beyond ASCII as they are. */
export const accented = '{"name":"Zo\u00eb","city":"K\u00f6ln","price":"5\u20ac"}'
export const canonicalAccented = '{"city":"K\u00f6ln","name":"Zo\u00eb","price":"5\u20ac"}'

export function hmac(key: string | Uint8Array, message: string | Uint8Array): string {
  return createHmac('sha256', key).update(message).digest('hex')
}

export function v1(body: string | Uint8Array, key: string | Uint8Array = apiKey, time = t): string {
  return hmac(
    key,
    Buffer.concat([
      Buffer.from(Buffer.from(body as string).filter((byte) => ![0x20, 0x0a, 0x0d].includes(byte))),
      Buffer.from(time),
    ]),
  )
}

/** @param canonical the body with sorted keys, still with its spaces and line breaks */
export function v2(canonical: string, key: string | Uint8Array = secret, time = t): string {
  return hmac(key, canonical.replace(/[ \n\r]/g, '') + time)
}

export function v3(body: string | Uint8Array, key: string | Uint8Array = secret, time = t): string {
  return hmac(key, Buffer.from(body as string).toString('base64') + time)
}

interface Keys {
  readonly secret?: string | Uint8Array
  readonly apiKey?: string | Uint8Array
  readonly t?: string
}

/** The header over a body with all three versions. */
export function signed(body: string | Uint8Array, canonical: string, keys: Keys = {}): string {
  const time = keys.t ?? t
  return `t=${time},v1=${v1(body, keys.apiKey, time)},v2=${v2(canonical, keys.secret, time)},v3=${v3(body, keys.secret, time)}`
}

/** The header of the events above. */
export const header = signed(event, canonicalEvent)
export const fixtureHeader = signed(fixture, canonicalFixture)
export const accentedHeader = signed(accented, canonicalAccented)
