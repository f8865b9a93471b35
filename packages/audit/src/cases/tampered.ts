import type { AuditCase } from './audit-case.js'
import { REFUSED } from './expectation.js'
import { change } from '../send/sender.js'
import { changed, replaced, signedAs, VERIFY_BYTES, withAmount } from './deliveries.js'

const COMPARE_DIGEST =
  'Compute the digest over the whole message, and compare it with the one of every required version.'

/** Valid deliveries that were changed after signing. */
export const tampered: readonly AuditCase[] = [
  {
    name: 'tampered amount',
    title: 'an amount of 50.5 turned into 5050.5',
    deliveries: changed((body) => [body, withAmount(body, '5050.5')]),
    expected: REFUSED,
    cost: 'A customer who pays a cent can have it booked as any sum.',
    fix: COMPARE_DIGEST,
  },
  {
    name: 'tampered byte',
    title: 'one letter of a name changed',
    deliveries: changed((body) => [body, replaced(body, '"Jane"', '"Jade"')]),
    expected: REFUSED,
    cost: 'A real payment can be booked for another customer.',
    fix: COMPARE_DIGEST,
  },
  {
    name: 'tampered digest',
    title: 'its first, or its last digit changed',
    deliveries: signedAs((valid, { versions }) => [
      change(valid, versions, (digest) => otherDigit(digest[0]!) + digest.slice(1)),
      change(valid, versions, (digest) => digest.slice(0, -1) + otherDigit(digest.at(-1)!)),
    ]),
    expected: REFUSED,
    cost: 'Only a part of the digest is compared: it can be guessed piece by piece.',
    fix: 'Compare all 64 digits, in constant time.',
  },
  {
    name: 'tampered time',
    title: '"t=" plus 1, and with a leading 0',
    deliveries: signedAs((valid) => [
      change(valid, ['t'], (time) => String(Number(time) + 1)),
      change(valid, ['t'], (time) => `0${time}`),
    ]),
    expected: REFUSED,
    cost: 'The time can be rewritten, so an old delivery can be made to look new.',
    fix: 'Compute the digest over the text of "t" exactly as it arrived.',
  },
  {
    name: 'tampered number 10.0',
    title: 'an amount of 10.0 turned into 10',
    deliveries: changed((body) => [withAmount(body, '10.0'), withAmount(body, '10')]),
    expected: REFUSED,
    cost: 'A copy is verified that was parsed and re-serialized, not the body that was sent.',
    fix: VERIFY_BYTES,
  },
  {
    name: 'tampered white space',
    title: 'spaces, or a line break at the end',
    deliveries: changed((body) => [body, body.replace(/(?<=")[:,](?=["{[])/g, '$& '), `${body}\n`]),
    expected: REFUSED,
    cost: 'A copy is verified that was parsed and re-serialized, not the body that was sent.',
    fix: VERIFY_BYTES,
    // v1 and v2 leave all spaces out of what they sign.
    isFor: (versions) => versions.includes('v3'),
  },
  {
    name: 'tampered key order',
    title: 'the fields in reverse order',
    deliveries: changed((body) => {
      const fields = Object.entries(JSON.parse(body) as object)
      return [body, JSON.stringify(Object.fromEntries(fields.reverse()))]
    }),
    expected: REFUSED,
    cost: 'A copy is verified that was sorted and re-serialized, not the body that was sent.',
    fix: VERIFY_BYTES,
    // v2 sorts the keys before it signs.
    isFor: (versions) => versions.some((version) => version !== 'v2'),
  },
  {
    name: 'tampered encoding',
    title: 'U+FEFF added; U+FFFD turned into FF',
    deliveries: changed((_, sender) => {
      const body = sender.purchase({ message: 'A letter that was lost before: \ufffd' })
      return [body, `\ufeff${body}`, withByteFF(body)]
    }),
    expected: REFUSED,
    cost: 'The body is decoded before it is verified: different bodies pass with one signature.',
    fix: VERIFY_BYTES,
    // v2 signs the values of the body, not its bytes.
    isFor: (versions) => versions.some((version) => version !== 'v2'),
  },
]

function otherDigit(digit: string): string {
  return digit === '0' ? '1' : '0'
}

/** Bytes that a decoder which replaces wrong ones cannot tell from the original. */
function withByteFF(body: string): Buffer {
  const [before, after] = body.split('\ufffd')
  return Buffer.concat([Buffer.from(before!), Buffer.of(0xff), Buffer.from(after!)])
}
