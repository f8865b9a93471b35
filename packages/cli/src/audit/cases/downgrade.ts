import type { AuditGroup } from '../case.js'
import { REFUSED } from '../expectation.js'
import { change, only } from '../header.js'
import { signedAs, WRONG_DIGEST } from './deliveries.js'

/** Genuine deliveries for which only versions vouch that the endpoint does not ask for. */
export const downgrade: AuditGroup = {
  name: 'downgrade',
  cases: [
    {
      name: 'downgrade to v1',
      sent: 'only v1, and right',
      deliveries: signedAs((genuine) => [only(genuine, ['t', 'v1'])]),
      expected: REFUSED,
      risk: 'A forger chooses v1: more people have its key, the API key, and it does not see spaces.',
      isFor: (versions) => versions.some((version) => version !== 'v1'),
    },
    {
      name: 'downgrade to v2',
      sent: 'only v2, and right',
      deliveries: signedAs((genuine) => [only(genuine, ['t', 'v2'])]),
      expected: REFUSED,
      risk: 'A forger chooses v2, which sees neither spaces nor the order of fields.',
      isFor: (versions) => versions.some((version) => version !== 'v2'),
    },
    {
      name: 'downgrade, wrong digest',
      sent: 'required digest wrong, others right',
      deliveries: signedAs((genuine, { versions }) => [change(genuine, versions, () => WRONG_DIGEST)]),
      expected: REFUSED,
      risk: 'What the best version finds is forgiven where a weaker one is content.',
      isFor: (versions) => versions.length < 3,
    },
    {
      name: 'digest of v2 as v3',
      sent: "v2's digest in v3's place",
      deliveries: signedAs((genuine) => {
        const [, digest] = genuine.find(([name]) => name === 'v2')!
        return [change(genuine, ['v3'], () => digest)]
      }),
      expected: REFUSED,
      risk: 'The versions are not told apart: the weakest is as good as the best.',
      isFor: (versions) => versions.includes('v3'),
    },
  ],
}
