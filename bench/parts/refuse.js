import { createVerifier } from '@service-signature/core'
import { SECRET, unixTime, v3Header } from '../contestants/signing.js'
import { eventOf } from '../events.js'
import { progress } from '../progress.js'
import { atMost, round } from '../report/bounds.js'
import { medians } from '../rounds.js'

const MOST_US = 10
const verifier = createVerifier({ secret: SECRET })

/** What a request costs that is refused: before its body is looked at, and after. */
export async function refuse({ rounds }) {
  progress('refuse', 'all')
  const { name, body } = eventOf('transaction', 1_500)
  const header = v3Header(body)
  const beforeTheBody = {
    'no header': undefined,
    malformed: `${header},t=1`,
    'wrong version': header.replace('v3', 'v4'),
    stale: v3Header(body, unixTime() - 3_600),
    '16 elements': `${header}${',v9=0'.repeat(13)},x`,
    '20,000 elements': `${header}${',v9=0'.repeat(20_000)}`,
    '20,000 headers': Array(20_000).fill(header),
  }
  const forged = header.replace(/.$/, (digit) => (digit === '0' ? '1' : '0'))
  const us = await medians(
    {
      verified: () => verifier.verifySignatureSync(body, header),
      forged: refused(body, forged),
      ...Object.fromEntries(
        Object.entries(beforeTheBody).map(([request, value]) => [request, refused(body, value)]),
      ),
    },
    rounds,
  )
  const bound = Math.min(MOST_US, us.verified)
  const early = Object.keys(beforeTheBody).map((request) => ({ request, us: atMost(us[request], bound) }))
  const rows = [
    { request: `verified, ${name}`, us: round(us.verified) },
    { request: 'forged', us: round(us.forged) },
    ...early,
  ]
  return [{ title: 'refuse', rows }]
}

/**
 * @param {Buffer} body
 * @param {string | string[] | undefined} header
 */
function refused(body, header) {
  return () => {
    try {
      verifier.verifySignatureSync(body, header)
    } catch (error) {
      return error
    }
    throw new Error('this was to be refused')
  }
}
