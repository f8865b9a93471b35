import * as core from '@service-signature/core'
import { webHmac } from '../../../packages/core/dist/shared-web.mjs'
import { bytesOf, equal } from './vectors.js'
import { Outcome } from './outcome.js'

/**
 * Runs the vectors of others: those of HMAC-SHA256, and texts that are JSON or not, as signed bodies.
 *
 * @param nodeHmac that of core over node:crypto, in a runtime that may have it
 */
export async function runPublished({ macs, texts, secret, now }, nodeHmac) {
  const outcome = new Outcome()
  const hasSync = 'verifySync' in core
  const hmac = hasSync ? nodeHmac : webHmac
  for (const { tcId, key, msg, tag, result } of macs) {
    await outcome.test(`Wycheproof ${tcId}`, async () => {
      const message = { bytes: bytesOf(msg) }
      equal(await hmac.matches(hmac.importKey(bytesOf(key)), message, '', tag), result === 'valid')
    })
  }
  for (const { name, body, header } of texts) {
    await outcome.test(`JSONTestSuite ${name}`, async () => {
      const bytes = bytesOf(body)
      const expected = expectedOf(name, bytes)
      equal(await codeOf(() => core.verify(bytes, header, { secret, now: () => now })), expected)
      if (hasSync)
        equal(await codeOf(() => core.verifySync(bytes, header, { secret, now: () => now })), expected)
    })
  }
  return outcome
}

/** What the suite leaves open is JSON if it is UTF-8 and this runtime reads it. */
function expectedOf(name, bytes) {
  if (!name.startsWith('i_')) return name.startsWith('y_') ? 'read' : 'ERR_BODY_NOT_JSON'
  try {
    JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
    return 'read'
  } catch {
    return 'ERR_BODY_NOT_JSON'
  }
}

async function codeOf(verify) {
  try {
    await verify()
    return 'read'
  } catch (error) {
    if (!core.WebhookError.is(error)) throw error
    return error.code
  }
}
