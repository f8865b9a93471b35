import type { AuditCase } from './audit-case.js'
import { ACKNOWLEDGED, ACKNOWLEDGED_TWICE } from './expectation.js'
import { bodies, purchase, purchaseWith, signedAs, signedAt, VERIFY_BYTES, withAmount } from './deliveries.js'

const TEXT = 'J\u00f5ul \u2028 \u4e2d\u6587 \u{1f384} a/b'

/** Deliveries that the payment service may send. An audit starts with the first two. */
export const genuine: readonly AuditCase[] = [
  {
    name: 'genuine purchase',
    title: 'a transaction event, just signed',
    deliveries: purchase(),
    expected: ACKNOWLEDGED,
    cost: 'No payment is ever noticed: every delivery is lost.',
    fix: 'Compare the address, the key and the versions; "npx service-signature explain --request <file>" finds why a saved delivery fails.',
  },
  {
    name: 'genuine intent',
    title: 'an intent event, just signed',
    deliveries: bodies((sender) => [sender.intent()]),
    expected: ACKNOWLEDGED,
    cost: 'Orders stay open if only the intent event reports that they are paid.',
    fix: 'Accept both shapes of events: transaction events, and intent events with their fields under "data".',
  },
  {
    name: 'spaces inside strings',
    title: 'a message with spaces, and with \\n',
    deliveries: bodies((sender) => [sender.purchase({ message: '  Jane  Doe \n 12 High Street ' })]),
    expected: ACKNOWLEDGED,
    cost: 'Payments are lost as soon as a name, an address or a message contains a space.',
    fix: VERIFY_BYTES,
  },
  {
    name: 'letters beyond ASCII',
    title: 'a message in UTF-8 of many alphabets',
    deliveries: bodies((sender) => [sender.purchase({ message: TEXT })]),
    expected: ACKNOWLEDGED,
    cost: 'Payments of customers whose names have an accent are lost.',
    fix: 'Keep the body as bytes until it is verified; if it must be text before, read it as UTF-8.',
  },
  {
    name: 'escaped letters',
    title: 'the same as \\uXXXX, and / as \\/',
    deliveries: bodies((sender) => [escaped(sender.purchase({ message: TEXT }))]),
    expected: ACKNOWLEDGED,
    cost: 'The body is parsed and re-serialized before it is verified: payments with escaped letters are lost.',
    fix: VERIFY_BYTES,
  },
  {
    name: 'number 10.0',
    title: 'an amount of 10.0, not of 10',
    deliveries: bodies((sender) => [withAmount(sender.purchase(), '10.0')]),
    expected: ACKNOWLEDGED,
    cost: 'The body is parsed and re-serialized before it is verified: payments of round amounts are lost.',
    fix: VERIFY_BYTES,
  },
  {
    name: 'number over 2^53',
    title: 'a field that is 9007199254740993',
    deliveries: purchaseWith('"number":0', '"number":9007199254740993', { fields: { number: 0 } }),
    expected: ACKNOWLEDGED,
    cost: 'The body is parsed and re-serialized before it is verified: payments with long numbers are lost.',
    fix: VERIFY_BYTES,
  },
  {
    name: 'keys in odd order',
    title: 'fields named "b", "10", "2" and "A"',
    deliveries: purchaseWith('"custom_fields":{', '"custom_fields":{"b":1,"10":2,"2":3,"A":4,'),
    expected: ACKNOWLEDGED,
    cost: 'The body is parsed and re-serialized before it is verified: payments with numbered fields are lost.',
    fix: VERIFY_BYTES,
  },
  {
    name: 'pretty-printed body',
    title: 'a body with indents and line breaks',
    deliveries: bodies((sender) => [JSON.stringify(JSON.parse(sender.purchase()), null, 2)]),
    expected: ACKNOWLEDGED,
    cost: 'The body is parsed and re-serialized before it is verified: a change at the sender loses all payments.',
    fix: VERIFY_BYTES,
  },
  {
    name: 'line break at the end',
    title: 'a line break after the body',
    deliveries: bodies((sender) => [`${sender.purchase()}\n`]),
    expected: ACKNOWLEDGED,
    cost: 'The body is not verified as it came: a sender that ends its text with a line break loses all payments.',
    fix: VERIFY_BYTES,
  },
  // Our adapters read at most 64 KiB where v1 or v2 is required, because these change a copy of the body.
  ...[
    { name: 'body of 500 KB', letters: 500_000, limit: '1 MB', ofV3: true },
    { name: 'body of 60 KB', letters: 60_000, limit: '64 KB', ofV3: false },
  ].map(({ name, letters, limit, ofV3 }): AuditCase => ({
    name,
    title: `a message of ${letters.toLocaleString('en-US')} letters`,
    deliveries: bodies((sender) => [sender.purchase({ message: 'x'.repeat(letters) })]),
    expected: ACKNOWLEDGED,
    cost: 'Large events are lost, such as an intent with a long history of transactions.',
    fix: `Accept bodies of ${limit}: body parsers and proxies may have a lower limit.`,
    isFor: (versions) => ofV3 === versions.every((version) => version === 'v3'),
  })),
  {
    name: 'chunked body',
    title: 'Transfer-Encoding: chunked',
    deliveries: purchase({ manner: 'chunked' }),
    expected: ACKNOWLEDGED,
    cost: 'Deliveries are lost as soon as a proxy in between forwards them in chunks.',
    fix: 'Accept a body without Content-Length, and read it to the end of the stream.',
  },
  {
    name: 'body in slow pieces',
    title: 'eight pieces, split inside letters',
    deliveries: (sender) => {
      const body = sender.purchase({ message: '\u{1f600}'.repeat(500) })
      return [sender.deliver(body, { manner: 'slowly' })]
    },
    expected: ACKNOWLEDGED,
    cost: 'Deliveries are lost at random: whenever the network cuts one in an unlucky place.',
    fix: 'Join all pieces of the body as bytes before anything decodes them.',
  },
  {
    name: 'header in lower case',
    title: 'service-signature, as in HTTP/2',
    deliveries: purchase({ name: 'service-signature' }),
    expected: ACKNOWLEDGED,
    cost: 'Deliveries are lost as soon as a proxy in between speaks HTTP/2, where names are in lower case.',
    fix: 'Look the header up without regard to upper and lower case.',
  },
  {
    name: 'elements reordered',
    title: 'the digests first, the time last',
    deliveries: signedAs((valid) => [[...valid].reverse()]),
    expected: ACKNOWLEDGED,
    cost: 'Deliveries are lost when the sender lists the elements of its header in another order.',
    fix: 'Find the elements of the header by their names, not by their places.',
  },
  {
    name: 'unknown element v4',
    title: 'one more element, of another version',
    deliveries: signedAs((valid) => [[...valid, ['v4', 'f'.repeat(128)]]]),
    expected: ACKNOWLEDGED,
    cost: 'All deliveries are lost on the day when the sender adds a signature version.',
    fix: 'Ignore elements of the header that have an unknown name.',
  },
  {
    name: 'two minutes old',
    title: 'signed 120 s ago',
    deliveries: signedAt((now) => now - 120),
    expected: ACKNOWLEDGED,
    cost: 'Deliveries are lost that wait in a queue, or when clocks differ a little.',
    fix: 'Accept an age of up to 300 seconds.',
  },
  {
    name: 'clock 30 s ahead',
    title: 'signed in 30 s from now',
    deliveries: signedAt((now) => now + 30),
    expected: ACKNOWLEDGED,
    cost: "Deliveries are lost whenever the sender's clock is a little ahead.",
    fix: 'Accept a time that is up to 60 seconds ahead.',
  },
  {
    name: 'unknown event type',
    title: 'the type refund.created',
    deliveries: purchaseWith('"type":"transaction.purchase.successful"', '"type":"refund.created"'),
    expected: ACKNOWLEDGED,
    cost: 'A sender that retries sends a new type of event again and again, and may disable the endpoint.',
    fix: 'Answer 2xx to events that the endpoint does not handle.',
    // Only v1 proves whose event of an unknown type is, so an endpoint that checks it may refuse one.
    isFor: (versions, { account, live }) =>
      (account === undefined && live === undefined) || versions.includes('v1'),
  },
  {
    name: 'other content type',
    title: 'Content-Type: text/plain',
    deliveries: purchase({ type: 'text/plain' }),
    expected: ACKNOWLEDGED,
    cost: 'Deliveries are lost when the sender, or a proxy, writes another content type.',
    fix: 'Read the body whatever its content type is; the signature says whether it is valid.',
  },
  {
    name: 'delivered twice',
    title: 'the same bytes again',
    deliveries: (sender) => {
      const delivery = sender.deliver(sender.purchase())
      return [delivery, delivery]
    },
    expected: ACKNOWLEDGED_TWICE,
    cost: 'A sender that retries because it missed the first answer does so again and again.',
    fix: 'Answer 2xx to an event that was handled before, without handling it a second time.',
  },
]

/** JSON in which every character is escaped that can be escaped. */
function escaped(json: string): string {
  return json
    .replaceAll('/', '\\/')
    .replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
