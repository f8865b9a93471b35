import { KEY_VALUE, masked } from '../model/keys.js'

/** The digits of a card number, which is not part of a longer name such as an id. JSON and addresses have escapes. */
const CARD_NUMBER = /(?:(?<=\\[bfnrt])|(?<![\w.-]))\d(?:(?:[ +-]|%20)?\d){13,18}(?![\w-])/g

/** Fields that hold what must never be kept, whatever their value is. */
const SECRET_FIELDS = /^(?:card|card_?number|pan|cvv2?|cvc2?)$/i

const HIDDEN = '...'

/** The headers of a request that say who sent it. */
const SECRET_HEADERS = ['authorization', 'cookie', 'proxy-authorization']

/** A text without keys, secrets and card numbers. */
export function maskedText(text: string): string {
  return maskedKeys(text).replace(CARD_NUMBER, HIDDEN)
}

function maskedKeys(text: string): string {
  return text.replace(KEY_VALUE, masked)
}

/** A JSON body as text, without keys, secrets, card numbers and CVVs. */
export function maskedJson(body: unknown): string {
  return maskedText(
    JSON.stringify(body, (name, value: unknown) =>
      SECRET_FIELDS.test(name) || name.search(CARD_NUMBER) >= 0 ? HIDDEN : value,
    ),
  )
}

export function maskedHeaders(
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, maskedHeader(name, String(value))]),
  )
}

function maskedHeader(name: string, value: string): string {
  if (SECRET_HEADERS.includes(name)) return HIDDEN
  if (name !== 'x-api-key') return maskedText(value)
  // A key that is not of this sandbox may be a real one.
  const [key, ...others] = value.split(',') as [string, ...string[]]
  const shown = maskedKeys(key)
  const rest = others.map((part) => (/^(?:acc_[0-9a-f]+|true|false)$/.test(part) ? part : HIDDEN))
  return [shown === key ? HIDDEN : shown, ...rest].join(',')
}
