import { VERSION_NAMES, VERSIONS, type KeyKind, type Version } from '@service-signature/core/internal'
import {
  encode,
  fromBase64,
  fromHex,
  ifValid,
  percentDecoded,
  percentEncoded,
  toBase64,
  toHex,
  withoutEntities,
} from './encodings.js'
import type { Advice, Candidate, Rule, State } from './fault-rule.js'

/** The key that signs, if there is one, and the fault of the given key. A rare one is not tried with a second fault. */
type SigningKey = readonly [material: string | Uint8Array | undefined, happened: string, rarity?: 'rare']

interface KeyAdvice extends Advice {
  readonly signing: (given: string) => readonly SigningKey[]
}

/** A rule that changes one of the given keys. */
function keyRule({ signing, ...advice }: KeyAdvice): Rule {
  return {
    ...advice,
    changes: 'key',
    versions: VERSION_NAMES,
    *candidates(state) {
      for (const kind of ['secret', 'apiKey'] as const) {
        if (mayBeWrong(kind, state)) yield* changedKeys(kind, state, signing)
      }
    },
  }
}

function* changedKeys(kind: KeyKind, { keys }: State, signing: KeyAdvice['signing']): Generator<Candidate> {
  for (const { label, material: given } of keys[kind]) {
    if (typeof given !== 'string') continue
    for (const [material, happened, rarity] of signing(given)) {
      // Web Crypto does not accept an empty key.
      if (material === undefined || material.length === 0 || material === given) continue
      yield {
        change: { keys: { ...keys, [kind]: [{ label, material }] } },
        happened: `the given ${label} ${happened}`,
        versions: signedWith(kind),
        isRare: rarity === 'rare',
      }
    }
  }
}

/** Whether no digest has matched yet under a key of this kind. */
function mayBeWrong(kind: KeyKind, { proven }: State): boolean {
  return !signedWith(kind).some((version) => proven.includes(version))
}

function signedWith(kind: KeyKind): readonly Version[] {
  return VERSION_NAMES.filter((version) => VERSIONS[version].key === kind)
}

const SECRET_CALL = 'GET /api/v1/organizations/get-webhook-signature-key/'

/** The key is not the text that signs. The likeliest rules come first. */
export const keyRules: readonly Rule[] = [
  keyRule({
    name: 'key-white-space',
    where: 'In a file that ends with a line break (echo, a mounted Kubernetes secret), or a pasted value.',
    fix: "Trim the key where it is read: secret: process.env.WEBHOOK_SECRET.trim(); write such files with printf '%s'.",
    signing: (given) => [
      [trimmed(given), `has ${nameInvisible(given)} at its ends`],
      [trimmed(given).replace(/\s/g, ''), 'has white space within it', 'rare'],
    ],
  }),
  keyRule({
    name: 'key-quoted',
    where: 'In a .env file that docker --env-file or systemd reads, or in YAML that was quoted twice.',
    fix: 'Write the line without quotes: WEBHOOK_SECRET=...',
    signing: (given) => [
      [unquoted(given), 'has quotes around it'],
      [
        /^b['"]/.test(given) ? unquoted(given.slice(1)) : undefined,
        'has quotes around it, and the b of Python',
      ],
    ],
  }),
  {
    name: 'keys-swapped',
    where: 'In two variables: the secret signs v2 and v3, the account API key signs v1.',
    fix: `Exchange them: secret is data.webhook_signature_secret of ${SECRET_CALL}, apiKey is the account's key from the dashboard.`,
    changes: 'key',
    versions: VERSION_NAMES,
    *candidates(state) {
      const { secret, apiKey } = state.keys
      if (!mayBeWrong('secret', state) || !mayBeWrong('apiKey', state)) return
      let happened = 'the webhook signing secret and the account API key were exchanged'
      if (apiKey.length === 0) happened = 'the key that was given as the secret is the account API key'
      if (secret.length === 0)
        happened = 'the key that was given as the API key is the webhook signing secret'
      yield { change: { keys: { secret: apiKey, apiKey: secret } }, happened, versions: VERSION_NAMES }
    },
  },
  keyRule({
    name: 'key-prefixed',
    where: 'In a line that was copied whole, from a .env file (NAME=value) or from a request (Bearer ...).',
    fix: 'Take the value alone, which follows "=" or "Bearer ".',
    signing: (given) => {
      const line = trimmed(given)
      const value = unnamed(line)
      const happened = 'is a whole line of settings: a name, "=", and the key in quotes or with white space'
      return [
        [unnamed(given), 'has the name of a variable or header before it (NAME=)'],
        [given.replace(SCHEME, ''), 'has a word of an Authorization header before it ("Bearer ")'],
        [value === line ? undefined : trimmed(unquoted(trimmed(value))), happened],
      ]
    },
  }),
  keyRule({
    name: 'key-base64',
    where: 'In a Kubernetes secret, or with vendors whose keys are base64: here the key is plain text.',
    fix: "Use the key as the service gives it. If you have base64 of it: Buffer.from(value, 'base64').toString('utf8').",
    signing: (given) => [
      ...withoutLineBreak(/\s/.test(given) ? undefined : fromBase64(given)),
      [toBase64(encode(given)), 'was decoded: its base64 text is the key that signs', 'rare'],
    ],
  }),
  keyRule({
    name: 'key-hex',
    where: 'In code that decodes every key as hex digits: here the key is text and is not decoded.',
    fix: "Use the key as the service gives it, as UTF-8 text: no Buffer.from(secret, 'hex').",
    signing: (given) => [
      [fromHex(given), 'is the hex text of the key that signs'],
      [toHex(encode(given)), 'was decoded: its hex text is the key that signs', 'rare'],
    ],
  }),
  keyRule({
    name: 'key-percent-encoded',
    where: 'In a connection string, a URL or a form from which the key was taken.',
    fix: 'Give the key as it is, decoded once: decodeURIComponent(value).',
    signing: (given) => [
      [percentDecoded(given), 'is percent-encoded (%2B for a plus)'],
      [given.replaceAll(' ', '+'), 'has a space where a plus was: it was decoded as a form'],
      [percentEncoded(given), 'was decoded: its percent-encoded text is the key that signs', 'rare'],
    ],
  }),
  keyRule({
    name: 'key-escaped',
    where: 'In a value that was copied from JSON (\\/ or \\u003d) or from the source of a page (&#x2B;).',
    fix: 'Copy the key as it is shown, or parse the JSON that contains it.',
    signing: (given) => [
      [given.includes('\\') ? unescaped(given) : undefined, 'has the backslash escapes of JSON'],
      [given.replace(/\\(.)/g, '$1'), 'has backslashes before some of its characters'],
      [withoutEntities(given), 'has escapes of HTML (&#x2B; for a plus)'],
    ],
  }),
  keyRule({
    name: 'key-cut',
    where: 'In code that splits a line of settings at every "=", or trims "=" away.',
    fix: 'Split at the first "=" only, and keep the padding at the end of the key.',
    signing: (given) =>
      /^[A-Za-z0-9+/_-]{8,}$/.test(given)
        ? ['=', '=='].map((padding) => [
            given + padding,
            'lacks the padding at its end ("="), which was cut off',
            'rare',
          ])
        : [],
  }),
  keyRule({
    name: 'key-organization',
    where: 'In X-Api-Key (organization key, account id, mode), used in place of one key.',
    fix: 'Give the one key that signs: the account API key for v1, the webhook signing secret for v2 and v3.',
    signing: (given) =>
      given
        .split(',', given.includes(',') ? 2 : 0)
        .map((item) => [item.trim(), 'is an organization key with three items, of which only one signs']),
  }),
  keyRule({
    name: 'key-json-answer',
    where: 'In a script that keeps the whole response of the signature-key call.',
    fix: `Take the field: curl ... | jq -r .data.webhook_signature_secret. Or copy it again from the response of ${SECRET_CALL}.`,
    signing: (given) => [[secretIn(given), 'is JSON that contains the key that signs']],
  }),
]

/** Decoded base64, which often has the line break of `echo`. */
function withoutLineBreak(key: Uint8Array | undefined): readonly SigningKey[] {
  const happened = 'is the base64 text of the key that signs'
  const hasLineBreak = key?.at(-1) === 0x0a
  return [
    [key, happened],
    [hasLineBreak ? key.subarray(0, -1) : undefined, `${happened}, with a line break at its end`],
  ]
}

function unescaped(key: string): string | undefined {
  return ifValid(() => JSON.parse(`"${key}"`) as string)
}

const QUOTES = `"'\`\u201c\u201d\u2018\u2019`
const SCHEME = /^(?:Bearer|Basic|Token|ApiKey)[ \t]{1,8}/i

/** The start of a line that was copied whole, from a file of settings or a request. */
const NAME = /^(?:(?:export|set)[ \t]+)?[A-Za-z_][\w.-]{0,63}[ \t]{0,8}[=:][ \t]{0,8}/

/** Removes invisible characters at the ends, more than `trim` does, and line breaks that were written as `\n`. */
function trimmed(key: string): string {
  let start = 0
  let end = key.length
  while (start < end && isInvisible(key[start]!)) start++
  for (;;) {
    if (end > start && isInvisible(key[end - 1]!)) end--
    else if (end - start > 2 && /^\\[nrt]$/.test(key.slice(end - 2, end))) end -= 2
    else return key.slice(start, end)
  }
}

function isInvisible(character: string): boolean {
  return /[\s\0\u200b-\u200f\u2060\ufeff]/.test(character)
}

/** Names what `trimmed` removes. */
function nameInvisible(key: string): string {
  const rest = trimmed(key)
  const start = key.indexOf(rest)
  const around = key.slice(0, start) + key.slice(start + rest.length)
  const names = NAMED.filter(([, pattern]) => pattern.test(around)).map(([name]) => name)
  return names.length === 0 ? 'invisible characters' : names.join(' and ')
}

const NAMED = [
  ['a line break', /[\n\r]/],
  ['a line break written as "\\n"', /\\[nr]$/],
  ['a space', / /],
  ['a tab', /\t/],
  ['a byte order mark', /\ufeff/],
] as const

function unquoted(key: string): string {
  const isQuoted = key.length > 2 && QUOTES.includes(key[0]!) && QUOTES.includes(key.at(-1)!)
  return isQuoted ? key.slice(1, -1) : key
}

function unnamed(key: string): string {
  return key.replace(NAME, '')
}

/** The secret in the response of the service, in its `data`, or as a string with the quotes of JSON. */
function secretIn(json: string): string | undefined {
  if (!/^\s*[{"]/.test(json)) return undefined
  let value = ifValid(() => JSON.parse(json) as unknown)
  for (const name of ['data', 'webhook_signature_secret']) {
    if (typeof value === 'object' && value !== null && name in value)
      value = value[name as keyof typeof value]
  }
  return typeof value === 'string' ? value : undefined
}
