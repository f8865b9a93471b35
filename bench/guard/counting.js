import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'

/**
 * What a piece of code asks of node:crypto and of the parser: MACs, the bytes that go into them, keys made, bodies
 * parsed. Functions of Node are replaced while it runs; modules that imported them by name see that.
 *
 * @param {() => unknown} run
 * @returns {Promise<{ macs: number, bytes: number, keys: number, parses: number }>}
 */
export async function counting(run) {
  const { createHmac, createSecretKey } = crypto
  const { parse } = JSON
  const counts = { macs: 0, bytes: 0, keys: 0, parses: 0 }

  crypto.createHmac = (...options) => {
    counts.macs++
    const hash = createHmac(...options)
    const { update } = hash
    hash.update = (data, encoding) => {
      counts.bytes += typeof data === 'string' ? Buffer.byteLength(data, encoding) : data.byteLength
      return update.call(hash, data, encoding)
    }
    return hash
  }
  crypto.createSecretKey = (...options) => {
    counts.keys++
    return createSecretKey(...options)
  }
  JSON.parse = (...options) => {
    counts.parses++
    return parse(...options)
  }
  syncBuiltinESMExports()
  try {
    await run()
  } finally {
    Object.assign(crypto, { createHmac, createSecretKey })
    JSON.parse = parse
    syncBuiltinESMExports()
  }
  return counts
}
