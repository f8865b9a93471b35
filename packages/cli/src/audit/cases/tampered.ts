import type { AuditGroup } from '../case.js'
import { REFUSED } from '../expectation.js'
import { change } from '../header.js'
import { replaced, signedAs, tampered as changed, withAmount } from './deliveries.js'

/** Genuine deliveries that were changed on their way. */
export const tampered: AuditGroup = {
  name: 'tampered',
  cases: [
    {
      name: 'tampered amount',
      sent: 'an amount of 50.5 turned into 5050.5',
      deliveries: changed((sender) => {
        const body = sender.purchase()
        return [body, withAmount(body, '5050.5')]
      }),
      expected: REFUSED,
      risk: 'Whoever pays a cent can have it booked as any sum.',
    },
    {
      name: 'tampered byte',
      sent: 'one letter of a name changed',
      deliveries: changed((sender) => {
        const body = sender.purchase()
        return [body, replaced(body, '"Jane"', '"Jade"')]
      }),
      expected: REFUSED,
      risk: 'A genuine payment can be booked for another customer.',
    },
    {
      name: 'tampered digest',
      sent: 'first, or last digit of it changed',
      deliveries: signedAs((genuine, { versions }) => [
        change(genuine, versions, (digest) => otherDigit(digest[0]!) + digest.slice(1)),
        change(genuine, versions, (digest) => digest.slice(0, -1) + otherDigit(digest.at(-1)!)),
      ]),
      expected: REFUSED,
      risk: 'Not all of the digest is compared: it can be guessed piece by piece.',
    },
    {
      name: 'tampered time',
      sent: '"t=" plus 1, and with a 0 in front',
      deliveries: signedAs((genuine) => [
        change(genuine, ['t'], (time) => String(Number(time) + 1)),
        change(genuine, ['t'], (time) => `0${time}`),
      ]),
      expected: REFUSED,
      risk: 'The time can be rewritten, so an old delivery can be made to look new.',
    },
    {
      name: 'tampered number 10.0',
      sent: 'an amount of 10.0 turned into 10',
      deliveries: changed((sender) => {
        const body = sender.purchase()
        return [withAmount(body, '10.0'), withAmount(body, '10')]
      }),
      expected: REFUSED,
      risk: 'What is verified is not what was sent, but a copy that was printed again.',
    },
    {
      name: 'tampered white space',
      sent: 'blanks, or a line break at the end',
      deliveries: changed((sender) => {
        const body = sender.purchase()
        return [body, body.replace(/(?<=")[:,](?=["{[])/g, '$& '), `${body}\n`]
      }),
      expected: REFUSED,
      risk: 'What is verified is not what was sent, but a copy that was printed again.',
      // v1 and v2 leave all spaces out of what they sign (S6.4, S6.5).
      isFor: (versions) => versions.includes('v3'),
    },
    {
      name: 'tampered key order',
      sent: 'the fields in reverse order',
      deliveries: changed((sender) => {
        const body = sender.purchase()
        const fields = Object.entries(JSON.parse(body) as object)
        return [body, JSON.stringify(Object.fromEntries(fields.reverse()))]
      }),
      expected: REFUSED,
      risk: 'What is verified is not what was sent, but a copy that was sorted and printed again.',
      // v2 sorts the keys before it signs (S6.4).
      isFor: (versions) => versions.some((version) => version !== 'v2'),
    },
    {
      name: 'tampered encoding',
      sent: 'U+FEFF added; U+FFFD turned into FF',
      deliveries: changed((sender) => {
        const body = sender.purchase({ message: 'A letter that was lost before: \ufffd' })
        return [body, `\ufeff${body}`, withByteFF(body)]
      }),
      expected: REFUSED,
      risk: 'The body is decoded before it is verified: bodies that differ pass under one signature.',
      // v2 signs what the body says, not its bytes.
      isFor: (versions) => versions.some((version) => version !== 'v2'),
    },
  ],
}

function otherDigit(digit: string): string {
  return digit === '0' ? '1' : '0'
}

/** What a decoder that replaces wrong bytes cannot tell from the original. */
function withByteFF(body: string): Buffer {
  const [before, behind] = body.split('\ufffd')
  return Buffer.concat([Buffer.from(before!), Buffer.of(0xff), Buffer.from(behind!)])
}
