import type { KeyKind } from '@service-signature/core/signature/keys'
import { VERSION_NAMES } from '@service-signature/core/signature/names'
import { VERSIONS } from '@service-signature/core/signature/versions'
import {
  encode,
  fromBase64,
  fromHex,
  halfOf,
  ifValid,
  latin1Bytes,
  percentDecoded,
  toBase64,
  toHex,
  withoutEntities,
} from '../read/encodings.js'
import {
  canCompare,
  COST,
  shows,
  type Advice,
  type Candidate,
  type Cost,
  type Original,
  type Rule,
  type State,
} from './fault-rule.js'

interface KeyRow extends Advice {
  /** The cheapest cost of the fault for a key; undefined if it would show. */
  readonly trace: (given: string) => Cost | undefined
  readonly signing: (given: string) => readonly Original[]
}

const SECRET_CALL = 'GET /api/v1/organizations/get-webhook-signature-key/'
const COMPARE =
  'Compare its fingerprint with that of the key that the service has: "npx service-signature secret --base-url <url>" prints it.'

/** The faults of one key, which is not the text that signs. The likeliest come first. */
const ROWS = {
  'key-white-space': {
    where: 'In a file that ends with a line break (echo, a mounted Kubernetes secret), or a pasted value.',
    fix: "Trim the key where it is read: secret: process.env.WEBHOOK_SECRET.trim(); write such files with printf '%s'.",
    trace: shows(/[\s\0\u200b-\u200f\u2060\ufeff]|\\[nrt]$/),
    signing: (given) => [
      [trimmed(given), `has ${nameInvisible(given)} at its ends`],
      [trimmed(given).replace(/\s/g, ''), 'has white space within it', COST.unusual],
    ],
  },
  'key-quoted': {
    where: 'In a .env file that docker --env-file or systemd reads, or in YAML that was quoted twice.',
    fix: 'Write the line without quotes: WEBHOOK_SECRET=...',
    trace: shows(/^b?["'`\u201c\u201d\u2018\u2019]|[;,]\s*$/),
    signing: (given) => [
      [unquoted(given), 'has quotes around it'],
      [unquoted(given.replace(/^b(?=['"])/, '')), 'has quotes around it, and the b of Python'],
      [unquoted(given.replace(/[;,]\s*$/, '')), 'has the punctuation of code after it (";" or ",")'],
    ],
  },
  'key-prefixed': {
    where: 'In a line that was copied whole, from a .env file (NAME=value) or from a request (Bearer ...).',
    fix: 'Take the value alone, which follows "=" or "Bearer ".',
    trace: (given) => (NAME.test(given) || SCHEME.test(given) || halfOf(given) ? COST.seen : undefined),
    signing: (given) => {
      const line = trimmed(given)
      const value = line.replace(NAME, '')
      const happened = 'is a whole line of settings: a name, "=", and the key in quotes or with white space'
      return [
        [given.replace(NAME, ''), 'has the name of a variable or header before it (NAME=)'],
        [given.replace(SCHEME, ''), 'has a word of an Authorization header before it ("Bearer ")'],
        [value === line ? undefined : trimmed(unquoted(trimmed(value))), happened],
        [halfOf(given), 'is there twice, one after the other'],
      ]
    },
  },
  'key-base64': {
    where: 'In a Kubernetes secret, or with vendors whose keys are base64: here the key is plain text.',
    fix: "Use the key as the service gives it. If you have base64 of it: Buffer.from(value, 'base64').toString('utf8').",
    trace: (given) => (isTextIn(fromBase64(given)) ? COST.seen : COST.unusual),
    signing: (given) => [
      ...withoutLineBreak(/\s/.test(given) ? undefined : fromBase64(given)),
      ...otherAlphabet(given),
      [toBase64(encode(given)), 'was decoded: its base64 text is the key that signs', COST.rare],
    ],
  },
  'key-hex': {
    where: 'In code that decodes every key as hex digits: here the key is text and is not decoded.',
    fix: "Use the key as the service gives it, as UTF-8 text: no Buffer.from(secret, 'hex').",
    trace: shows(/^[0-9A-F]+$/, COST.unusual),
    signing: (given) => [
      [/^[0-9A-F]+$/.test(given) ? given.toLowerCase() : undefined, 'is in upper case'],
      [fromHex(given), 'is the hex text of the key that signs', COST.unusual],
      [toHex(encode(given)), 'was decoded: its hex text is the key that signs', COST.rare],
      [
        /^[\0-\xff]+$/.test(given) ? toHex(latin1Bytes(given)) : undefined,
        'was decoded: its hex text is the key that signs',
        /[\x80-\xff]/.test(given) ? COST.seen : COST.rare,
      ],
    ],
  },
  'key-percent-encoded': {
    where: 'In a connection string, a URL or a form from which the key was taken.',
    fix: 'Give the key as it is, decoded once: decodeURIComponent(value).',
    trace: shows(/%[0-9a-f]{2}| /i, COST.rare),
    signing: (given) => [
      [percentDecoded(given), 'is percent-encoded (%2B for a plus)'],
      [given.replaceAll(' ', '+'), 'has a space where a plus was: it was decoded as a form'],
      ...[given.replaceAll('+', '%2B'), given.replace(/[+/=]/g, encodeURIComponent)].map(
        (key) => [key, 'was decoded: its percent-encoded text is the key that signs', COST.rare] as const,
      ),
    ],
  },
  'key-escaped': {
    where: 'In a value that was copied from JSON (\\/ or \\u003d) or from the source of a page (&#x2B;).',
    fix: 'Copy the key as it is shown, or parse the JSON that contains it.',
    trace: shows(/\\|&/),
    signing: (given) => [
      [
        given.includes('\\') ? ifValid(() => JSON.parse(`"${given}"`) as string) : undefined,
        'has the backslash escapes of JSON',
      ],
      [given.replace(/\\(.)/g, '$1'), 'has backslashes before some of its characters'],
      [withoutEntities(given), 'has escapes of HTML (&#x2B; for a plus)'],
    ],
  },
  'key-cut': {
    where: 'In code that splits a line of settings at every "=", or trims "=" away.',
    fix: 'Split at the first "=" only, and keep the padding at the end of the key.',
    trace: () => COST.unusual,
    signing: (given) => [...withPadding(given), ...withLastDigit(given)],
  },
  'key-organization': {
    where: 'In X-Api-Key (organization key, account id, mode), used in place of one key.',
    fix: 'Give the one key that signs: the account API key for v1, the webhook signing secret for v2 and v3.',
    trace: shows(/,/),
    signing: (given) =>
      given
        .split(',', given.includes(',') ? 2 : 0)
        .map((item) => [item.trim(), 'is an organization key with three items, of which only one signs']),
  },
  'key-json-answer': {
    where: 'In a script that keeps the whole response of the signature-key call.',
    fix: `Take the field: curl ... | jq -r .data.webhook_signature_secret. Or copy it again from the response of ${SECRET_CALL}.`,
    trace: shows(/^\s*[{"]/),
    // The response of the service has the secret among its first texts.
    signing: (given) =>
      textsIn(ifValid(() => JSON.parse(given) as unknown))
        .slice(0, 4)
        .map((key) => [key, 'is JSON that contains the key that signs']),
  },
} satisfies Record<string, KeyRow>

export const KEY_FAULTS = {
  ...ROWS,
  'keys-swapped': {
    where: 'In two variables: the secret signs v2 and v3, the account API key signs v1.',
    fix: `Exchange them: secret is data.webhook_signature_secret of ${SECRET_CALL}, apiKey is the account's key from the dashboard.`,
  },
  'other-secret': {
    where: 'In settings of another organization or environment, or in a secret that was replaced.',
    fix: `Fetch the secret with an API key of your organization: ${SECRET_CALL}. ${COMPARE}`,
  },
  'other-api-key': {
    where: 'In an account with several API keys, or settings of another account or the other mode.',
    fix: `Try the other API keys of the account, or require v3 alone, which needs no API key: versions: ['v3']. ${COMPARE}`,
  },
  'keys-mixed': {
    where: 'In a sender that signs its versions with different keys, in the middle of a rotation.',
    fix: "Require one version that the secret signs, versions: ['v3'], or have the sender use one secret for v2 and v3.",
  },
} satisfies Record<string, Advice>

const swappedKeys: Rule = {
  name: 'keys-swapped',
  changes: 'key',
  versions: VERSION_NAMES,
  likely: (state) => (wrongKinds(state).length === KINDS.length ? COST.usual : undefined),
  exact: ({ keys: { secret, apiKey } }) => [
    {
      change: { keys: { secret: apiKey, apiKey: secret } },
      happened:
        apiKey.length === 0
          ? 'the key that was given as the secret is the account API key'
          : secret.length === 0
            ? 'the key that was given as the API key is the webhook signing secret'
            : 'the webhook signing secret and the account API key were exchanged',
      versions: VERSION_NAMES,
      cost: COST.usual,
    },
  ],
}

function keyRule(name: string, { trace, signing }: KeyRow): Rule {
  return {
    name,
    changes: 'key',
    versions: VERSION_NAMES,
    likely(state) {
      const costs = wrongKinds(state)
        .flatMap((kind) => state.keys[kind])
        .map(({ material }) => (typeof material === 'string' ? trace(material) : undefined))
      return Object.values(COST).find((cost) => costs.includes(cost))
    },
    exact: (state) => wrongKinds(state).flatMap((kind) => changedKeys(kind, state, signing)),
  }
}

export const keyRules: readonly Rule[] = [
  ...Object.entries<KeyRow>(ROWS).map(([name, row]) => keyRule(name, row)),
  swappedKeys,
]

const KINDS = ['secret', 'apiKey'] as const satisfies readonly KeyKind[]

function changedKeys(kind: KeyKind, state: State, signing: KeyRow['signing']): readonly Candidate[] {
  const { keys } = state
  const versions = VERSION_NAMES.filter((version) => VERSIONS[version].key === kind)
  // Without a trace, v3 is enough: it signs every byte, and there are many such keys.
  const few = canCompare('v3', state) ? versions.slice(-1) : versions
  return keys[kind].flatMap(({ label, material: given }) =>
    (typeof given === 'string' ? signing(given) : []).flatMap(([material, happened, cost = COST.seen]) => {
      // Web Crypto does not accept an empty key.
      if (material === undefined || material.length === 0 || material === given) return []
      return {
        change: { keys: { ...keys, [kind]: [{ label, material }] } },
        happened: `the given ${label} ${happened}`,
        versions: cost < COST.unusual ? versions : few,
        cost,
      }
    }),
  )
}

/** The kinds of keys under which no digest has matched yet. */
function wrongKinds({ proven }: State): readonly KeyKind[] {
  return KINDS.filter((kind) => proven.every((version) => VERSIONS[version].key !== kind))
}

/** Whether the bytes are text, which other bytes rarely are. */
function isTextIn(bytes: Uint8Array | undefined): boolean {
  return bytes?.every((byte) => (byte >= 0x20 && byte < 0x7f) || byte === 0x0a) === true
}

/** Whether nothing is hidden in the key by an encoding of text. */
export function isPlainKey(key: string | Uint8Array): boolean {
  if (typeof key !== 'string') return false
  return /^[\w+/=.-]+$/.test(key) && !isTextIn(fromBase64(key)) && !isTextIn(fromHex(key))
}

/** With + and / for - and _, of which the first may belong to a prefix ("wsk_live_"). */
function otherAlphabet(key: string): readonly Original[] {
  if (!/[-_]/.test(key)) return []
  const parts = key.replaceAll('-', '+').split('_')
  return [0, 1, 2].slice(0, parts.length).map((kept) => {
    const signing = [parts.slice(0, kept + 1).join('_'), ...parts.slice(kept + 1)].join('/')
    return [signing, 'has - and _ where + and / were: it was printed as base64url', COST.unusual]
  })
}

function withPadding(key: string): readonly Original[] {
  if (!/^[A-Za-z0-9+/_-]{8,}$/.test(key)) return []
  const happened = 'lacks the padding at its end ("="), which was cut off'
  return ['=', '=='].map((padding) => [key + padding, happened, COST.unusual])
}

/** Hex has an even number of digits, and keys of 32 bytes have 64. */
function withLastDigit(key: string): readonly Original[] {
  if (!/^(?:[0-9a-f]{2}){7,}[0-9a-f]$/.test(key)) return []
  const happened = 'lacks the last of its hex digits, which was cut off'
  return Array.from('0123456789abcdef', (digit) => [key + digit, happened, COST.unusual])
}

/** Decoded base64, which often has the line break of `echo`. */
function withoutLineBreak(key: Uint8Array | undefined): readonly Original[] {
  const happened = 'is the base64 text of the key that signs'
  const cost = isTextIn(key) ? COST.seen : COST.unusual
  const hasLineBreak = key?.at(-1) === 0x0a
  return [
    [key, happened, cost],
    [hasLineBreak ? key.subarray(0, -1) : undefined, `${happened}, with a line break at its end`, cost],
  ]
}

const SCHEME = /^(?:Bearer|Basic|Token|ApiKey)[ \t]{1,8}/i

/** The start of a line that was copied whole, from a file of settings or a request. */
const NAME = /^(?:(?:export|set)[ \t]+)?[A-Za-z_][\w.-]{0,63}[ \t]{0,8}[=:][ \t]{0,8}/

/** Invisible characters at the ends, more than `trim` removes, and line breaks that were written as `\n`. */
const AROUND = /^[\s\0\u200b-\u200f\u2060\ufeff]+|(?:[\s\0\u200b-\u200f\u2060\ufeff]|\\[nrt])+$/g

function trimmed(key: string): string {
  return key.replace(AROUND, '')
}

function nameInvisible(key: string): string {
  const around = Array.from(key.matchAll(AROUND), ([found]) => found).join('')
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
  return key.replace(/^["'`\u201c\u201d\u2018\u2019](.+)["'`\u201c\u201d\u2018\u2019]$/s, '$1')
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}
