import type { Subject } from './checks.js'

/** What can be seen at once, and no HMAC can prove. */
interface Symptom {
  readonly shows: (subject: Subject) => boolean
  /** A sentence without its full stop. */
  readonly says: string
}

const CONSUMED =
  'another parser took the bytes before they could be verified, so mount the verification before every body parser'

const SYMPTOMS: readonly Symptom[] = [
  {
    shows: ({ value }) => value === null || value === undefined,
    says:
      'There is no Service-Signature header: a proxy or gateway dropped it, it was looked up under another name, or ' +
      'the request does not come from the payment service',
  },
  { shows: ({ bytes }) => bytes.length === 0, says: `The body is empty: ${CONSUMED}, or nothing was sent` },
  {
    shows: isText('[object Object]', '"[object Object]"'),
    says: `The body is what JavaScript prints for an object: ${CONSUMED}`,
  },
  {
    shows: isText('undefined', 'null', '""'),
    says: `The body is what JavaScript prints where there is no value: ${CONSUMED}`,
  },
  {
    shows: isText('{}'),
    says: `The body is an empty JSON object, which is what Express has before a parser ran or when none took the request: ${CONSUMED}`,
  },
  {
    shows: ({ bytes }) => bytes[0] === 0x1f && bytes[1] === 0x8b,
    says: 'The body is compressed (0x1f 0x8b at its start is gzip): the payment service signs it uncompressed, so have the proxy in front pass it on as it came',
  },
  {
    shows: ({ bytes }) =>
      bytes.some((byte, at) => byte === 0xef && bytes[at + 1] === 0xbf && bytes[at + 2] === 0xbd),
    says: 'The body was decoded as text of a wrong charset and printed again: there are replacement characters (U+FFFD) where bytes were lost, so take the bytes from before any decoding',
  },
]

/** What can be seen of a delivery of which nothing was proven. */
export function symptomOf(subject: Subject): string | undefined {
  return SYMPTOMS.find(({ shows }) => shows(subject))?.says
}

function isText(...texts: readonly string[]): Symptom['shows'] {
  return ({ bytes }) => bytes.length < 20 && texts.includes(new TextDecoder().decode(bytes).trim())
}
