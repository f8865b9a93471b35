import { createVerifier } from '@service-signature/core'
import { canonicalOf, v2Header } from '../contestants/recipe.js'
import { hmac, SECRET, unixTime, v3Header } from '../contestants/signing.js'
import { eventOf } from '../events.js'
import { exactly } from '../report/bounds.js'
import { counting } from './counting.js'

const NOTHING = { macs: 0, bytes: 0, parses: 0 }

/** What each delivery costs, whatever the clock says. */
export async function countRows() {
  const timestamp = unixTime()
  const rows = []
  for (const { name, body } of [eventOf('transaction', 1_500), eventOf('intent', 64_000)]) {
    for (const [call, { run, expected }] of Object.entries(casesOf(body, timestamp))) {
      const counts = await counting(run)
      rows.push({ delivery: `${name}: ${call}`, ...judge(counts, expected) })
    }
  }
  return rows
}

/**
 * @param {Buffer} body
 * @param {number} timestamp
 */
function casesOf(body, timestamp) {
  const t = String(timestamp).length
  // S6.3 to S6.5: what is signed, by its length.
  const v3Bytes = 4 * Math.ceil(body.length / 3) + t
  const v2Bytes = Buffer.byteLength(canonicalOf(body)) + t
  const v1Text = body.toString().replace(/[ \n\r]/g, '')
  const v1Bytes = Buffer.byteLength(v1Text) + t

  const v3 = v3Header(body, timestamp)
  const [, v2] = v2Header(body, timestamp).split(',')
  const v1 = `v1=${hmac(v1Text, String(timestamp)).toString('hex')}`
  const all = `${v3},${v2},${v1}`
  const stale = v3Header(body, timestamp - 3_600)
  const forged = v3.replace(/.$/, (digit) => (digit === '0' ? '1' : '0'))

  const one = createVerifier({ secret: SECRET })
  const rotated = createVerifier({ secret: ['test_next_key', SECRET] })
  const only = (version) => createVerifier({ secret: SECRET, apiKey: SECRET, versions: [version] })
  const each = createVerifier({ secret: SECRET, apiKey: SECRET, versions: ['v1', 'v2', 'v3'] })
  const [onlyV1, onlyV2] = [only('v1'), only('v2')]

  return {
    'v3, signature': {
      run: () => one.verifySignatureSync(body, all),
      expected: { macs: 1, bytes: v3Bytes, parses: 0 },
    },
    'v3, full': { run: () => one.verifySync(body, all), expected: { macs: 1, bytes: v3Bytes, parses: 1 } },
    'v3, full, async': { run: () => one.verify(body, all), expected: { macs: 1, bytes: v3Bytes, parses: 1 } },
    'v3, the second of two secrets': {
      run: () => rotated.verifySync(body, all),
      expected: { macs: 2, bytes: 2 * v3Bytes, parses: 1 },
    },
    'v2, signature': {
      run: () => onlyV2.verifySignatureSync(body, all),
      expected: { macs: 1, bytes: v2Bytes, parses: 0 },
    },
    'v1, signature': {
      run: () => onlyV1.verifySignatureSync(body, all),
      expected: { macs: 1, bytes: v1Bytes, parses: 0 },
    },
    'v1, v2 and v3, full': {
      run: () => each.verifySync(body, all),
      expected: { macs: 3, bytes: v1Bytes + v2Bytes + v3Bytes, parses: 1 },
    },
    forged: {
      run: refused('ERR_SIGNATURE_MISMATCH', () => one.verifySync(body, forged)),
      expected: { macs: 1, bytes: v3Bytes, parses: 0 },
    },
    'no header': {
      run: refused('ERR_SIGNATURE_MISSING', () => one.verifySync(body, undefined)),
      expected: NOTHING,
    },
    malformed: {
      run: refused('ERR_SIGNATURE_MALFORMED', () => one.verifySync(body, `${all},t=1`)),
      expected: NOTHING,
    },
    stale: {
      run: refused('ERR_TIMESTAMP_TOO_OLD', () => one.verifySync(body, stale)),
      expected: NOTHING,
    },
  }
}

/** A key is made when the verifier is, and never for a delivery. */
function judge(counts, expected) {
  return {
    MACs: exactly(counts.macs, expected.macs),
    'bytes hashed': exactly(counts.bytes, expected.bytes),
    'keys made': exactly(counts.keys, 0),
    'bodies parsed': exactly(counts.parses, expected.parses),
  }
}

/**
 * @param {string} code
 * @param {() => unknown} run
 */
function refused(code, run) {
  return () => {
    try {
      run()
    } catch (error) {
      if (error.code === code) return
      throw error
    }
    throw new Error(`this was to be refused with ${code}`)
  }
}
