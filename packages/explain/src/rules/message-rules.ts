import type { Version } from '@service-signature/core'
import { withoutSpaces } from '@service-signature/core/signature/canonical-json/forms'
import { VERSION_NAMES } from '@service-signature/core/signature/names'
import type { BodyView } from '../read/body-view.js'
import { encode, isEqual, joined, toHex } from '../read/encodings.js'
import { COST, type Messages, type Rule, type SignedMessage } from './fault-rule.js'
import { byUnit, COMPACT, SPACED, type JsonLayout, type KeyOrder } from '../read/json-text.js'

/** The signed text of the specification: the message of the version, and then the text of "t". */
export const specified: Messages = (version, body, timestamp) =>
  timestamp === undefined ? [] : body.messages(version).map((bytes) => ({ bytes, timestamp }))

type OtherMessage = readonly [happened: string, messages: Messages]

interface MessageRule extends Pick<Rule, 'name' | 'versions'> {
  readonly signed: readonly OtherMessage[]
}

/** A rule that changes the signed text of the required versions. */
function messageRule({ signed, ...rule }: MessageRule): Rule {
  return {
    ...rule,
    changes: 'message',
    likely: ({ proven, body }) =>
      proven.includes('v3') || body.values !== undefined ? undefined : COST.sender,
    exact({ listed }) {
      const versions = rule.versions.filter((version) => listed.includes(version))
      if (versions.length === 0) return []
      return signed.map(([happened, messages]) => ({
        change: { messages },
        happened,
        versions,
        cost: COST.sender,
      }))
    },
  }
}

/** Another message before "t". */
function beforeTime(
  happened: string,
  make: (body: BodyView, version: Version) => Uint8Array | string | undefined,
): OtherMessage {
  return [
    happened,
    (version, body, timestamp) => {
      const message = make(body, version)
      if (timestamp === undefined || message === undefined) return []
      const bytes = typeof message === 'string' ? encode(message) : message
      // Where it makes no difference, it has been compared.
      return body.messages(version).some((known) => isEqual(known, bytes)) ? [] : [{ bytes, timestamp }]
    },
  ]
}

/** The message and "t" in another arrangement. */
function arranged(
  happened: string,
  arrange: (message: Uint8Array, t: string, body: BodyView) => readonly (Uint8Array | string)[],
): OtherMessage {
  return [
    happened,
    (version, body, t) => {
      const [message] = body.messages(version)
      if (t === undefined || message === undefined) return []
      return [{ bytes: joined(...arrange(message, t, body)), timestamp: '' }]
    },
  ]
}

const byLetter: KeyOrder = (a, b) => byUnit(a.toLowerCase(), b.toLowerCase())
const unsorted: KeyOrder = () => 0

/** JSON with another order or other white space. */
function sorted(
  happened: string,
  order: KeyOrder,
  strip: (bytes: Uint8Array) => Uint8Array = (bytes) => bytes,
  layout: JsonLayout = COMPACT,
  isDeep = true,
): OtherMessage {
  return beforeTime(happened, ({ json }) => {
    const text = json?.printSorted(order, layout, isDeep)
    return text === undefined ? undefined : strip(encode(text))
  })
}

/** A text from which the sender removes other characters than spaces. */
function stripped(happened: string, strip: (text: string) => string): OtherMessage {
  return beforeTime(happened, (body, version) => {
    const text = version === 'v1' ? body.text : body.json?.printSorted(byUnit, COMPACT)
    return text === undefined ? undefined : strip(text)
  })
}

/** The sender signs another message than it should. The likeliest rules come first. */
export const messageRules: readonly Rule[] = [
  messageRule({
    name: 'message-encoding',
    versions: ['v3'],
    signed: [
      beforeTime('v3 was made of the body itself, not of its base64 text', ({ bytes }) => bytes),
      beforeTime('v3 was made of base64 without padding', ({ base64 }) => unpadded(base64)),
      beforeTime('v3 was made of base64url (- and _)', ({ base64 }) => base64url(base64)),
      beforeTime('v3 was made of unpadded base64url', ({ base64 }) =>
        /[+/]/.test(base64) ? unpadded(base64url(base64)) : undefined,
      ),
      beforeTime('v3 was made of base64 with a line break at its end', ({ base64 }) => `${base64}\n`),
      beforeTime('v3 was made of base64 in lines of 76', ({ base64 }) => inLines(base64, 76)),
      beforeTime('v3 was made of base64 in lines of 64', ({ base64 }) => inLines(base64, 64)),
      beforeTime('v3 was made of the hex text of the body', ({ bytes }) => toHex(bytes)),
    ],
  }),
  messageRule({
    name: 'message-time-position',
    versions: VERSION_NAMES,
    signed: [
      arranged('"t" and a full stop were put before the message', (message, t) => [t, '.', message]),
      arranged('"t", a full stop and the body were signed', (_, t, { bytes }) => [t, '.', bytes]),
      arranged('a full stop was put between the message and "t"', (message, t) => [message, '.', t]),
      arranged('"t" was put before the message', (message, t) => [t, message]),
    ],
  }),
  messageRule({
    name: 'message-without-time',
    versions: VERSION_NAMES,
    signed: [
      ['the digest was made without "t"', (version, body) => untimed(body.messages(version))],
      ['the digest was made of the body alone, without "t"', (_, { bytes }) => untimed([bytes])],
    ],
  }),
  messageRule({
    name: 'message-decoded',
    versions: ['v3'],
    signed: [beforeTime('v3 was made of the body as decoded text', ({ decoded }) => decoded.base64)],
  }),
  messageRule({
    name: 'message-white-space',
    versions: ['v1', 'v2'],
    signed: [
      stripped('white space was left as it is', (text) => text),
      stripped('all white space was removed, tabs and the like too (\\s)', (text) => text.replace(/\s/g, '')),
      stripped('tabs were removed with the spaces and line breaks', (text) => text.replace(/[ \n\r\t]/g, '')),
      stripped('line breaks were removed, and spaces were not', (text) => text.replace(/[\n\r]/g, '')),
      stripped('spaces were removed, and line breaks were not', (text) => text.replaceAll(' ', '')),
      sorted('spaces inside of strings were left as they are', unsorted),
      sorted('the spaces that Python prints after commas and colons were left', byUnit, undefined, SPACED),
    ],
  }),
  messageRule({
    name: 'message-key-order',
    versions: ['v2'],
    signed: [
      sorted('the keys were left in the order of the body', unsorted, withoutSpaces),
      sorted('the keys were sorted without regard to upper and lower case', byLetter, withoutSpaces),
      sorted('only the keys of the outermost object were sorted', byUnit, withoutSpaces, COMPACT, false),
    ],
  }),
]

function untimed(messages: readonly Uint8Array[]): readonly SignedMessage[] {
  return messages.map((bytes) => ({ bytes, timestamp: '' }))
}

function unpadded(base64: string): string {
  return base64.replace(/=+$/, '')
}

function base64url(base64: string): string {
  return base64.replaceAll('+', '-').replaceAll('/', '_')
}

/** With a line break after each line, as coreutils, openssl and MIME libraries print base64. */
function inLines(text: string, length: number): string {
  return `${text.replace(new RegExp(`.{${length}}(?=.)`, 'g'), '$&\n')}\n`
}
