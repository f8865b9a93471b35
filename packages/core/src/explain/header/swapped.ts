import { VERSION_NAMES } from '../../versions.js'
import type { Row } from '../case.js'

/** What stands under one name is the digest of another version. */
export const swappedRow: Row = {
  name: 'header-digests-swapped',
  where: 'In a sender of your own, or in code that takes the header apart and prints it again.',
  mend: 'Put each digest behind the name of its own version: v1 is over the body without spaces, v2 over sorted JSON, v3 over base64 (S6.3 to S6.5).',
  changes: 'header',
  versions: VERSION_NAMES,
  *variants({ reading }) {
    for (const digest of reading.digests) {
      for (const version of VERSION_NAMES) {
        if (version === digest.label) continue
        yield {
          change: { reading: { ...reading, digests: [{ ...digest, version }] } },
          happened: `what stands in the header as ${digest.label} is the digest of ${version}`,
          versions: [version],
        }
      }
    }
  },
}
