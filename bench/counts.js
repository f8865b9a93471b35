import { createVerifier } from '@service-signature/core'
import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import { canonicalOf, v2Header } from './contestants.js'
import { eventOf } from './events.js'
import { exactly } from './report.js'
import { forge, hmac, SECRET, unixTime, v3Header } from './signing.js'

/** The work that each delivery costs, independent of the clock. */
export async function countRows() {
  const rows = []
  for (const { name, body } of [eventOf('transaction', 1_500), eventOf('intent', 64_000)]) {
    // A small body is hashed without making an object of Node, whose release would cost the collector as much again.
    const objectsPerMac = body.length < 24_000 ? 0 : 1
    for (const [call, run, macs, bytes, parses] of casesOf(body, unixTime())) {
      const counts = await counting(run)
      rows.push({
        delivery: `${name}: ${call}`,
        hashes: exactly(counts.hashes, 2 * macs),
        'bytes hashed': exactly(counts.bytes, bytes + macs * BYTES_PER_MAC),
        // A key is made with the verifier, and never for a delivery.
        'objects of node:crypto': exactly(counts.objects, objectsPerMac * macs),
        'bodies parsed': exactly(counts.parses, parses),
      })
    }
  }
  return rows
}

/** The block of the key before the message; its other block, and the digest of the two, after it. */
const BYTES_PER_MAC = 64 + 64 + 32

/** The calls, and how many MACs, bytes of messages and parsed bodies each may cost. */
function casesOf(body, timestamp) {
  const t = String(timestamp).length
  const v1Text = body.toString().replace(/[ \n\r]/g, '')
  const v1Bytes = Buffer.byteLength(v1Text) + t
  const v2Bytes = Buffer.byteLength(canonicalOf(body)) + t
  const v3Bytes = 4 * Math.ceil(body.length / 3) + t

  const v1 = `v1=${hmac(v1Text, String(timestamp)).toString('hex')}`
  const [, v2] = v2Header(body, timestamp).split(',')
  const v3 = v3Header(body, timestamp)
  const all = `${v3},${v2},${v1}`
  const stale = v3Header(body, timestamp - 3_600)

  const one = createVerifier({ secret: SECRET })
  const rotated = createVerifier({ secret: ['test_next_key', SECRET] })
  const v2Alone = createVerifier({ secret: SECRET, versions: ['v2'] })
  const each = createVerifier({ secret: SECRET, apiKey: SECRET, versions: ['v1', 'v2', 'v3'] })
  const refused = (code, header) => () => {
    try {
      one.verifySync(body, header)
    } catch (error) {
      if (error.code === code) return
      throw error
    }
    throw new Error(`The verifier must refuse this with ${code}.`)
  }

  return [
    ['v3, signature', () => one.verifySignatureSync(body, all), 1, v3Bytes, 0],
    ['v3, full', () => one.verifySync(body, all), 1, v3Bytes, 1],
    ['v3, full, async', () => one.verify(body, all), 1, v3Bytes, 1],
    ['v3, the second of two secrets', () => rotated.verifySync(body, all), 2, 2 * v3Bytes, 1],
    ['v2, signature', () => v2Alone.verifySignatureSync(body, all), 1, v2Bytes, 0],
    ['v1, v2 and v3, full', () => each.verifySync(body, all), 3, v1Bytes + v2Bytes + v3Bytes, 1],
    ['forged', refused('ERR_SIGNATURE_MISMATCH', forge(v3)), 1, v3Bytes, 0],
    ['no header', refused('ERR_SIGNATURE_MISSING', undefined), 0, 0, 0],
    ['malformed', refused('ERR_SIGNATURE_MALFORMED', `${all},t=1`), 0, 0, 0],
    ['stale', refused('ERR_TIMESTAMP_TOO_OLD', stale), 0, 0, 0],
  ]
}

/** Counts how much `run` uses node:crypto and the JSON parser, whose functions are replaced while it runs. */
export async function counting(run) {
  const { createHash, createHmac, createSecretKey, hash } = crypto
  const { parse } = JSON
  const counts = { hashes: 0, bytes: 0, objects: 0, parses: 0 }
  const hashed = (data, encoding) => {
    counts.bytes += typeof data === 'string' ? Buffer.byteLength(data, encoding) : data.length
  }
  const countingObject = (make) =>
    function (...options) {
      counts.objects++
      counts.hashes++
      const object = make(...options)
      const { update } = object
      object.update = (...data) => {
        hashed(...data)
        return update.apply(object, data)
      }
      return object
    }

  Object.assign(crypto, {
    hash(algorithm, data, encoding) {
      counts.hashes++
      hashed(data)
      return hash(algorithm, data, encoding)
    },
    createHash: countingObject(createHash),
    createHmac: countingObject(createHmac),
    createSecretKey(...options) {
      counts.objects++
      return createSecretKey(...options)
    },
  })
  JSON.parse = (...options) => {
    counts.parses++
    return parse(...options)
  }
  // Modules that imported the functions by name get the replacements, too.
  syncBuiltinESMExports()
  try {
    await run()
  } finally {
    Object.assign(crypto, { createHash, createHmac, createSecretKey, hash })
    JSON.parse = parse
    syncBuiltinESMExports()
  }
  return counts
}
