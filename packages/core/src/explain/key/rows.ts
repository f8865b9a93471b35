import { VERSION_NAMES } from '../../versions.js'
import type { Row } from '../case.js'
import { fromBase64, fromHex, percentDecoded, percentEncoded, toBase64, toHex } from '../encoding.js'
import { nameInvisible, trimmed, unnamed, unquoted, withoutScheme } from './cleaning.js'
import { keyRow, mayBeWrong } from './row.js'

const COPY =
  'Copy the secret again: GET /api/v1/organizations/get-webhook-signature-key/ gives it as data.webhook_signature_secret (S4.2).'

const encoder = new TextEncoder()

/** The key is another text than the one that signs. The likeliest come first. */
export const keyRows: readonly Row[] = [
  keyRow({
    name: 'key-white-space',
    where:
      'In a file that ends with a line break (echo "..." > secret.txt, a mounted Kubernetes secret), or a value that was pasted.',
    mend: "Trim the key where it is read: secret: process.env.WEBHOOK_SECRET.trim(); write such files with printf '%s'.",
    *signing(given) {
      const plain = trimmed(given)
      yield { material: plain, happened: `has ${nameInvisible(given)} at its ends` }
      yield { material: plain.replace(/\s/g, ''), happened: 'has white space within it', isRare: true }
    },
  }),
  keyRow({
    name: 'key-quoted',
    where:
      'In a .env file that is read by docker --env-file or systemd, which keep quotes; in YAML or JSON that was quoted twice.',
    mend: 'Write the line without quotes: WEBHOOK_SECRET=...',
    *signing(given) {
      yield { material: unquoted(given), happened: 'has quotes around it' }
    },
  }),
  {
    name: 'keys-swapped',
    where:
      'In two variables of the environment that were mixed up: v2 and v3 are signed with the secret of S4.2, v1 with the account API key.',
    mend: `Exchange them: secret is data.webhook_signature_secret of GET /api/v1/organizations/get-webhook-signature-key/, apiKey is the account's key from the dashboard.`,
    changes: 'key',
    versions: VERSION_NAMES,
    *variants(start) {
      const { secret, apiKey } = start.keys
      if (!mayBeWrong('secret', start) || !mayBeWrong('apiKey', start)) return
      const happened =
        apiKey.length === 0
          ? 'what was given as the secret is the account API key'
          : secret.length === 0
            ? 'what was given as the API key is the webhook signing secret'
            : 'the webhook signing secret and the account API key stand in place of each other'
      yield { change: { keys: { secret: apiKey, apiKey: secret } }, happened, versions: VERSION_NAMES }
    },
  },
  keyRow({
    name: 'key-prefixed',
    where: 'In a line that was copied whole, from a .env file (NAME=value) or from a request (Bearer ...).',
    mend: 'Take the value alone, what stands behind "=" or behind "Bearer ".',
    *signing(given) {
      yield { material: unnamed(given), happened: 'has the name of a variable or header before it (NAME=)' }
      yield {
        material: withoutScheme(given),
        happened: 'has a word of an Authorization header before it ("Bearer ")',
      }
      const value = unnamed(trimmed(given))
      if (value.length === trimmed(given).length) return
      yield {
        material: trimmed(unquoted(trimmed(value))),
        happened: 'is a whole line of settings: a name, "=", and the key in quotes or with white space',
      }
    },
  }),
  keyRow({
    name: 'key-base64',
    where:
      'In a Kubernetes secret, whose "data" is base64, or with a vendor whose keys are base64: here the key is text and is not decoded (S6.3).',
    mend: "Use the key as the service gives it. If what you hold is base64 of it: Buffer.from(value, 'base64').toString('utf8').",
    *signing(given) {
      const decoded = /\s/.test(given) ? undefined : fromBase64(given)
      if (decoded !== undefined)
        yield { material: decoded, happened: 'is the base64 text of the key that signs' }
      yield {
        material: toBase64(encoder.encode(given)),
        happened: 'was decoded: its base64 text is the key that signs',
        isRare: true,
      }
    },
  }),
  keyRow({
    name: 'key-hex',
    where: 'In code that takes every key for hex digits: here the key is text and is not decoded (S6.3).',
    mend: "Use the key as the service gives it, as UTF-8 text: no Buffer.from(secret, 'hex').",
    *signing(given) {
      const decoded = fromHex(given)
      if (decoded !== undefined)
        yield { material: decoded, happened: 'is the hex text of the key that signs' }
      yield {
        material: toHex(encoder.encode(given)),
        happened: 'was decoded: its hex text is the key that signs',
        isRare: true,
      }
    },
  }),
  keyRow({
    name: 'key-percent-encoded',
    where: 'In a connection string, a URL or a form from which the key was taken.',
    mend: 'Give the key as it is, decoded once: decodeURIComponent(value).',
    *signing(given) {
      const decoded = percentDecoded(given)
      if (decoded !== undefined) yield { material: decoded, happened: 'is percent-encoded (%2B for a plus)' }
      yield {
        material: given.replaceAll(' ', '+'),
        happened: 'has a space where a plus was: it was decoded as a form',
      }
      const encoded = percentEncoded(given)
      if (encoded !== undefined)
        yield {
          material: encoded,
          happened: 'was decoded: its percent-encoded text is the key that signs',
          isRare: true,
        }
    },
  }),
  keyRow({
    name: 'key-organization',
    where:
      'In the value of X-Api-Key (S5.2), organization key, account id and mode joined by commas, used where one key belongs.',
    mend: 'Give the one key that signs: the account API key for v1 (S6.5), the webhook signing secret for v2 and v3.',
    *signing(given) {
      if (!given.includes(',')) return
      for (const item of given.split(',', 2)) {
        yield {
          material: item.trim(),
          happened: 'is the three items of an organization key (S5.2), of which one alone signs',
        }
      }
    },
  }),
  keyRow({
    name: 'key-json-answer',
    where:
      'In a script that keeps the answer of the signature-key call instead of its data.webhook_signature_secret.',
    mend: `Take the field: curl ... | jq -r .data.webhook_signature_secret. ${COPY}`,
    *signing(given) {
      const secret = secretOf(given)
      if (secret !== undefined) yield { material: secret, happened: 'is JSON that holds the key that signs' }
    },
  }),
]

/** From the answer of S4.2, its `data`, or the text of the secret with the quotes of JSON. */
function secretOf(json: string): string | undefined {
  if (!/^\s*[{"]/.test(json)) return undefined
  let value: unknown
  try {
    value = JSON.parse(json)
  } catch {
    return undefined
  }
  for (const name of ['data', 'webhook_signature_secret']) {
    if (typeof value === 'object' && value !== null && name in value)
      value = value[name as keyof typeof value]
  }
  return typeof value === 'string' ? value : undefined
}
