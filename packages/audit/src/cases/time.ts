import type { AuditCase } from './audit-case.js'
import { REFUSED } from './expectation.js'
import { change, only, print } from '../send/sender.js'
import { signedAs, signedAt, WRONG_DIGEST } from './deliveries.js'

const MINUTE = 60
const HOUR = 60 * MINUTE
const YEAR = 365 * 24 * HOUR

const CHECK_AGE = 'Refuse a delivery whose "t" is more than 300 seconds old.'
const CHECK_AHEAD = 'Refuse a delivery whose "t" is more than 60 seconds ahead of the clock.'

/** Deliveries signed with the right key at the wrong time: recorded before, or made for later. */
export const time: readonly AuditCase[] = [
  {
    name: 'stale by an hour',
    title: 'signed an hour ago',
    deliveries: signedAt((now) => now - HOUR),
    expected: REFUSED,
    cost: 'Anyone who has seen a delivery once, in a log or a proxy, can repeat it forever.',
    fix: CHECK_AGE,
  },
  {
    name: 'stale, with a new time',
    title: 'the same, and "t=" set to now',
    deliveries: (sender) => {
      const body = sender.purchase()
      const now = sender.now()
      const renewed = change(sender.sign(body, now - HOUR), ['t'], () => String(now))
      return [sender.deliver(body, { signature: [print(renewed)] })]
    },
    expected: REFUSED,
    cost: 'The time is not part of the signed message: an old delivery can be made to look new.',
    fix: 'Compute the digest over the body and the "t" of the same header.',
  },
  {
    name: 'time 0',
    title: 'signed with "t=0"',
    deliveries: signedAt(() => 0),
    expected: REFUSED,
    cost: 'A time of 0 counts as no time at all: such a delivery can be repeated forever.',
    fix: 'Compare "t" as a number, and do not treat 0 as a missing value.',
  },
  {
    name: 'four minutes ahead',
    title: 'signed in four minutes from now',
    deliveries: signedAt((now) => now + 4 * MINUTE),
    expected: REFUSED,
    cost: 'The time may be as far in the future as in the past: a delivery can be repeated for twice as long.',
    fix: CHECK_AHEAD,
  },
  {
    name: 'ten years ahead',
    title: 'signed in ten years from now',
    deliveries: signedAt((now) => now + 10 * YEAR),
    expected: REFUSED,
    cost: 'Only the past is checked: a delivery with a late time can be repeated for years.',
    fix: CHECK_AHEAD,
  },
]

const REQUIRE_VERSIONS =
  'Decide in the endpoint which versions are required, and require a matching digest of each of them.'

/** Deliveries with right digests, but only of versions that the endpoint does not require. */
export const downgrade: readonly AuditCase[] = [
  {
    name: 'downgrade to v1',
    title: 'only v1, and right',
    deliveries: signedAs((valid) => [only(valid, ['t', 'v1'])]),
    expected: REFUSED,
    cost: 'A forger chooses v1: more people have its key, the API key, and it ignores spaces.',
    fix: REQUIRE_VERSIONS,
    isFor: (versions) => versions.some((version) => version !== 'v1'),
  },
  {
    name: 'downgrade to v2',
    title: 'only v2, and right',
    deliveries: signedAs((valid) => [only(valid, ['t', 'v2'])]),
    expected: REFUSED,
    cost: 'A forger chooses v2, which ignores spaces and the order of fields.',
    fix: REQUIRE_VERSIONS,
    isFor: (versions) => versions.some((version) => version !== 'v2'),
  },
  {
    name: 'downgrade, wrong digest',
    title: 'required digest wrong, others right',
    deliveries: signedAs((valid, { versions }) => [change(valid, versions, () => WRONG_DIGEST)]),
    expected: REFUSED,
    cost: 'A wrong digest of the best version is ignored if that of a weaker one matches.',
    fix: REQUIRE_VERSIONS,
    isFor: (versions) => versions.length < 3,
  },
  {
    name: 'digest of v2 as v3',
    title: 'the digest of v2 in place of v3',
    deliveries: signedAs((valid) => {
      const [, digest] = valid.find(([name]) => name === 'v2')!
      return [change(valid, ['v3'], () => digest)]
    }),
    expected: REFUSED,
    cost: 'The versions are not distinguished: the weakest is as good as the best.',
    fix: 'Compare the digest of each version with the message of that version only.',
    isFor: (versions) => versions.includes('v3'),
  },
]
