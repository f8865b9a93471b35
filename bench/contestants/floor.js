import { createHmac, createSecretKey } from 'node:crypto'
import { SECRET, unixTime } from './signing.js'

const key = createSecretKey(SECRET, 'utf8')

/**
 * What nobody can do without: the HMAC over the message, which is ready; and JSON.parse of the decoded body.
 *
 * @param {Buffer} body
 */
export function floorOf(body) {
  const message = Buffer.from(body.toString('base64') + unixTime())
  return {
    floor: () => createHmac('sha256', key).update(message).digest(),
    parse: () => JSON.parse(body.toString()),
  }
}
