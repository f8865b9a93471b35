import type { AuditGroup } from '../case.js'
import { ACKNOWLEDGED, ACKNOWLEDGED_TWICE } from '../expectation.js'
import { bodies, purchase, replaced, signedAs, signedAt, withAmount } from './deliveries.js'

const LARGE = 500_000
const TEXT = 'J\u00f5ul \u2028 \u4e2d\u6587 \u{1f384} a/b'

/** What the payment service may send, and must not be lost. The first is the one that the others are compared with. */
export const genuine: AuditGroup = {
  name: 'genuine',
  cases: [
    {
      name: 'genuine purchase',
      sent: 'a transaction event, just signed',
      deliveries: purchase(),
      expected: ACKNOWLEDGED,
      risk: 'No payment is ever noticed: every delivery is lost.',
    },
    {
      name: 'genuine intent',
      sent: 'an intent event, just signed',
      deliveries: bodies((sender) => [sender.intent()]),
      expected: ACKNOWLEDGED,
      risk: 'Orders whose end only the intent event tells stay open.',
    },
    {
      name: 'spaces inside strings',
      sent: 'a message with spaces, and with \\n',
      deliveries: bodies((sender) => [sender.purchase({ message: '  Jane  Doe \n 12 High Street ' })]),
      expected: ACKNOWLEDGED,
      risk: 'Payments are lost as soon as a name, an address or a message has a space.',
    },
    {
      name: 'letters beyond ASCII',
      sent: 'a message in UTF-8 of many alphabets',
      deliveries: bodies((sender) => [sender.purchase({ message: TEXT })]),
      expected: ACKNOWLEDGED,
      risk: 'Payments of customers whose names have an accent are lost.',
    },
    {
      name: 'escaped letters',
      sent: 'the same as \\uXXXX, and / as \\/',
      deliveries: bodies((sender) => [escaped(sender.purchase({ message: TEXT }))]),
      expected: ACKNOWLEDGED,
      risk: 'The body is parsed and printed again before it is verified: what a sender escapes is lost.',
    },
    {
      name: 'number 10.0',
      sent: 'an amount of 10.0, not of 10',
      deliveries: bodies((sender) => [withAmount(sender.purchase(), '10.0')]),
      expected: ACKNOWLEDGED,
      risk: 'The body is parsed and printed again before it is verified: round amounts are lost.',
    },
    {
      name: 'number over 2^53',
      sent: 'a field that is 9007199254740993',
      deliveries: bodies((sender) => [
        replaced(sender.purchase({ fields: { number: 0 } }), '"number":0', '"number":9007199254740993'),
      ]),
      expected: ACKNOWLEDGED,
      risk: 'The body is parsed and printed again before it is verified: long customer numbers lose payments.',
    },
    {
      name: 'keys in odd order',
      sent: 'fields named "b", "10", "2" and "A"',
      deliveries: bodies((sender) => [
        replaced(sender.purchase(), '"custom_fields":{', '"custom_fields":{"b":1,"10":2,"2":3,"A":4,'),
      ]),
      expected: ACKNOWLEDGED,
      risk: 'The body is parsed and printed again before it is verified: numbered fields lose payments.',
    },
    {
      name: 'pretty-printed body',
      sent: 'a body with indents and line breaks',
      deliveries: bodies((sender) => [JSON.stringify(JSON.parse(sender.purchase()), null, 2)]),
      expected: ACKNOWLEDGED,
      risk: 'The body is parsed and printed again before it is verified: a new version of the sender loses all.',
    },
    {
      name: 'line break at the end',
      sent: 'a line break behind the body',
      deliveries: bodies((sender) => [`${sender.purchase()}\n`]),
      expected: ACKNOWLEDGED,
      risk: 'The body is not verified as it came: a sender that ends its text with a line break loses all.',
    },
    {
      name: 'body of 500 KB',
      sent: 'a message of 500,000 letters',
      deliveries: bodies((sender) => [sender.purchase({ message: 'x'.repeat(LARGE) })]),
      expected: ACKNOWLEDGED,
      risk: 'Large events are lost, such as an intent with a long history of transactions.',
    },
    {
      name: 'chunked body',
      sent: 'Transfer-Encoding: chunked',
      deliveries: purchase({ manner: 'chunked' }),
      expected: ACKNOWLEDGED,
      risk: 'Deliveries are lost once a proxy in between passes them on in chunks.',
    },
    {
      name: 'body in slow pieces',
      sent: 'eight pieces, split inside letters',
      deliveries: (sender) => {
        const body = sender.purchase({ message: '\u{1f600}'.repeat(500) })
        return [sender.deliver(body, { manner: 'slowly' })]
      },
      expected: ACKNOWLEDGED,
      risk: 'Deliveries are lost at random: whenever the network cuts one in an unlucky place.',
    },
    {
      name: 'header in lower case',
      sent: 'service-signature, as in HTTP/2',
      deliveries: purchase({ name: 'service-signature' }),
      expected: ACKNOWLEDGED,
      risk: 'Deliveries are lost once a proxy in between speaks HTTP/2, which writes names in lower case.',
    },
    {
      name: 'elements reordered',
      sent: 'the digests first, the time last',
      deliveries: signedAs((genuine) => [[...genuine].reverse()]),
      expected: ACKNOWLEDGED,
      risk: 'Deliveries are lost when the sender lists the elements of its header in another order.',
    },
    {
      name: 'unknown element v4',
      sent: 'one element more, of another version',
      deliveries: signedAs((genuine) => [[...genuine, ['v4', 'f'.repeat(128)]]]),
      expected: ACKNOWLEDGED,
      risk: 'All deliveries are lost on the day when the sender adds a signature version.',
    },
    {
      name: 'two minutes old',
      sent: 'signed 120 s ago',
      deliveries: signedAt((now) => now - 120),
      expected: ACKNOWLEDGED,
      risk: 'Deliveries are lost that wait in a queue, or when clocks differ a little.',
    },
    {
      name: 'clock 30 s ahead',
      sent: 'signed in 30 s from now',
      deliveries: signedAt((now) => now + 30),
      expected: ACKNOWLEDGED,
      risk: "Deliveries are lost whenever the sender's clock is a little ahead.",
    },
    {
      name: 'unknown event type',
      sent: 'the type refund.created',
      deliveries: bodies((sender) => [
        replaced(sender.purchase(), '"type":"transaction.purchase.successful"', '"type":"refund.created"'),
      ]),
      expected: ACKNOWLEDGED,
      risk: 'The sender repeats a new type of event for ever, and may switch the endpoint off.',
    },
    {
      name: 'other content type',
      sent: 'Content-Type: text/plain',
      deliveries: purchase({ type: 'text/plain' }),
      expected: ACKNOWLEDGED,
      risk: 'Deliveries are lost when the sender, or a proxy, writes another content type.',
    },
    {
      name: 'delivered twice',
      sent: 'the same bytes again',
      deliveries: (sender) => {
        const delivery = sender.deliver(sender.purchase())
        return [delivery, delivery]
      },
      expected: ACKNOWLEDGED_TWICE,
      risk: 'A sender that missed the first answer repeats the delivery for ever.',
    },
  ],
}

/** JSON as a sender prints it that escapes whatever can be. */
function escaped(json: string): string {
  return json
    .replaceAll('/', '\\/')
    .replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
