import { VERSION_NAMES, type Version } from '../../versions.js'
import type { Messages, Row } from '../case.js'
import { toHex } from '../encoding.js'
import { message } from './specified.js'
import { inFrontOfTime, messageRow, type OtherMessage } from './row.js'
import { otherOrders, otherWhiteSpace } from './text.js'

const SENDER =
  'In a sender of your own (a test, a mock, a forwarder that signs anew), since the payment service signs as S6.3 to S6.5 say.'
const SIGN = "Sign with sign(body, { secret, apiKey }) of '@service-signature/core/testing'"

/** The sender signs something else than it should. The likeliest come first. */
export const messageRows: readonly Row[] = [
  messageRow({
    name: 'message-encoding',
    where: SENDER,
    mend: `${SIGN}, or v3 by hand as createHmac('sha256', secret).update(rawBody.toString('base64') + t): standard alphabet, padded, one line (S6.3).`,
    versions: ['v3'],
    signed: [
      inFrontOfTime('v3 was made over the body itself and not over its base64 text', ({ bytes }) =>
        message(bytes),
      ),
      inFrontOfTime('v3 was made over base64 without padding', ({ base64 }) =>
        message(base64.replace(/=+$/, '')),
      ),
      inFrontOfTime('v3 was made over base64url (- and _)', ({ base64 }) => message(base64url(base64))),
      inFrontOfTime('v3 was made over base64url (- and _) without padding', ({ base64 }) =>
        message(base64url(base64).replace(/=+$/, '')),
      ),
      inFrontOfTime('v3 was made over base64 with a line break at its end', ({ base64 }) =>
        message(base64, '\n'),
      ),
      inFrontOfTime('v3 was made over base64 in lines of 76', ({ base64 }) => message(inLines(base64, 76))),
      inFrontOfTime('v3 was made over base64 in lines of 64', ({ base64 }) => message(inLines(base64, 64))),
      inFrontOfTime('v3 was made over the hex text of the body and not over its base64 text', ({ bytes }) =>
        message(toHex(bytes)),
      ),
    ],
  }),
  messageRow({
    name: 'message-time-position',
    where: `${SENDER} Other services put "t" and a full stop in front.`,
    mend: `${SIGN}, or put the digits of t directly behind the message, with nothing in between.`,
    versions: VERSION_NAMES,
    signed: [
      arranged('"t" and a full stop stand in front of what was signed', (text, t) => [t, '.', text]),
      {
        happened: '"t", a full stop and the body itself were signed, as other services do',
        messages: (_, { bytes }, t) =>
          t === undefined ? [] : [{ message: message(t, '.', bytes), timestamp: '' }],
      },
      arranged('a full stop stands between what was signed and "t"', (text, t) => [text, '.', t]),
      arranged('"t" stands in front of what was signed', (text, t) => [t, text]),
    ],
  }),
  messageRow({
    name: 'message-without-time',
    where: SENDER,
    mend: `${SIGN}, or put the digits of t directly behind the message (S6.3).`,
    versions: VERSION_NAMES,
    signed: [
      {
        happened: 'the digest was made without "t"',
        messages: (version, body) => body.messages(version).map((message) => ({ message, timestamp: '' })),
      },
      {
        happened: 'the digest was made over the body alone, without "t", as other services do',
        messages: (_, { bytes }) => [{ message: { bytes }, timestamp: '' }],
      },
    ],
  }),
  messageRow({
    name: 'message-decoded',
    where: `${SENDER} It decodes the body as text before it signs.`,
    mend: `${SIGN}, or take the bytes of the body for v3, and no text that was decoded from them (S6.3).`,
    versions: ['v3'],
    signed: [
      inFrontOfTime(
        'v3 was made over the body as decoded text: a byte order mark is gone, and what is no UTF-8 is U+FFFD',
        ({ bytes }) => ({ ...message(new TextDecoder().decode(bytes)), base64: true }),
      ),
    ],
  }),
  messageRow({
    name: 'message-white-space',
    where: `${SENDER} It takes other characters for spaces and line breaks.`,
    mend: `${SIGN}, or remove U+0020, U+000A and U+000D, inside strings too, and nothing else: text.replace(/[ \\n\\r]/g, '') (S6.4, S6.5).`,
    versions: ['v1', 'v2'],
    signed: otherWhiteSpace,
  }),
  messageRow({
    name: 'message-key-order',
    where: `${SENDER} It leaves the keys as they are, or sorts them otherwise.`,
    mend: `${SIGN}, or sort the keys by code point at every level: json.dumps(value, sort_keys=True) in Python (S6.4).`,
    versions: ['v2'],
    signed: otherOrders,
  }),
]

function arranged(
  happened: string,
  arrange: (text: Uint8Array | string, timestamp: string) => readonly (Uint8Array | string)[],
): OtherMessage {
  const messages: Messages = (version: Version, body, timestamp) => {
    const [first] = body.messages(version)
    if (timestamp === undefined || first === undefined) return []
    return [
      { message: message(...arrange(first.base64 ? body.base64 : first.bytes, timestamp)), timestamp: '' },
    ]
  }
  return { happened, messages }
}

function base64url(base64: string): string {
  return base64.replaceAll('+', '-').replaceAll('/', '_')
}

/** With a line break behind each line, as base64 of coreutils, openssl and MIME libraries print it. */
function inLines(text: string, length: number): string {
  const lines: string[] = []
  for (let at = 0; at < text.length; at += length) lines.push(text.slice(at, at + length))
  return `${lines.join('\n')}\n`
}
