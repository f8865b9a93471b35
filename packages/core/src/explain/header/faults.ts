import type { Advice, Step } from '../case.js'
import type { HeaderHypothesis } from '../names.js'

const AS_ARRIVED =
  "Pass the value as it arrived: request.headers['service-signature'], or headers.get('service-signature')."
const TEST_SENDER = 'In a sender of your own: a test, a mock, a script.'

/** What can be wrong with the header, and is undone while it is read. */
export const headerAdvice: readonly (Advice & { readonly name: HeaderHypothesis })[] = [
  {
    name: 'header-repeated',
    where:
      'Behind two proxies that each add the header, or with a host that gives each value of a header as an item of a list.',
    mend: `${AS_ARRIVED} If two hops add it, let one replace it (proxy_set_header) instead of adding to it.`,
  },
  {
    name: 'header-name-in-value',
    where: 'In a line that was copied from a log or a request tool, name and all.',
    mend: "Pass what stands behind 'Service-Signature: '.",
  },
  {
    name: 'header-quoted',
    where: 'In a log or a CSV file from which the header was copied, or a shell that passes quotes on.',
    mend: `${AS_ARRIVED} There are no quotes in it.`,
  },
  {
    name: 'header-separators',
    where: `${TEST_SENDER} Or in code that prints the header from its parts.`,
    mend: 'Join the elements by a comma alone, and name and value by "=": t=<digits>,v1=<hex>,v2=<hex>,v3=<hex> (S6.2).',
  },
  {
    name: 'header-percent-encoded',
    where: 'In a gateway or a queue that carries headers as part of a URL or a form.',
    mend: 'Decode it once before you verify: decodeURIComponent(value).',
  },
  {
    name: 'header-element-names',
    where: `${TEST_SENDER} The names are t, v1, v2 and v3, in lower case (S6.2).`,
    mend: 'Name the elements as S6.2 does: t=<digits>,v3=<hex>.',
  },
  {
    name: 'header-digest-prefix',
    where: `${TEST_SENDER} Other services put "sha256=" before the digest.`,
    mend: 'Write the 64 hex digits alone: v3=<hex> (S6.2).',
  },
  {
    name: 'header-digest-base64',
    where: `${TEST_SENDER} Digests of this service are hex, not base64.`,
    mend: "Print the digest as hex: createHmac('sha256', secret).update(message).digest('hex').",
  },
  {
    name: 'header-hex-upper-case',
    where: `${TEST_SENDER} C# (Convert.ToHexString, BitConverter) and some databases print hex in upper case.`,
    mend: "Print the digest in lower case: digest('hex'), Convert.ToHexString(hash).ToLowerInvariant() (S6.3).",
  },
  {
    name: 'header-milliseconds',
    where: `${TEST_SENDER} Date.now() and System.currentTimeMillis() count milliseconds.`,
    mend: 'Count seconds: Math.floor(Date.now() / 1000) (S6.2), in the header and in what is signed.',
  },
  {
    name: 'header-time-format',
    where: `${TEST_SENDER} Python's time.time() has decimals, toISOString() is no number.`,
    mend: 'Write whole seconds since 1970 as digits: Math.floor(Date.now() / 1000), int(time.time()) (S6.2).',
  },
  {
    name: 'header-version-missing',
    where:
      'With a sender that is older, and sends v1 and v2 alone, or one of your own that sends one version.',
    mend: 'List in "versions" what the sender sends, such as versions: [\'v2\'], or have it send v3, which alone signs every byte.',
  },
]

/** A fault of the header that was undone. */
export function fault(name: HeaderHypothesis, happened: string): Step {
  return { name, happened }
}
