import stringify from 'fast-json-stable-stringify'
import { createHash, createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { verifySignatureSync, verifySync, WebhookError } from '../src/index.js'
import { verify } from '../src/index.web.js'
import type { Hmac } from '../src/signature/hmac/hmac.js'
import { nodeHmac } from '../src/signature/hmac/node.js'
import { webHmac } from '../src/signature/hmac/web.js'
import { JSON_TEXTS, MAC_VECTORS, type MacVector } from './support/published.js'

const SECRET = 'test_signature_key'
const T = '1743090080'
const now = () => Number(T) * 1000
const options = { secret: SECRET, now }

async function isMatch<Key>(hmac: Hmac<Key>, { key, msg, tag }: MacVector): Promise<boolean> {
  const imported = hmac.importKey(Buffer.from(key, 'hex'))
  return hmac.matches(imported, { bytes: Buffer.from(msg, 'hex') }, '', tag)
}

describe('Wycheproof', () => {
  it('has 87 vectors of HMAC-SHA256 with a whole tag', () => {
    expect(MAC_VECTORS).toHaveLength(87)
  })

  it.each(MAC_VECTORS)('$tcId, $comment: $result', async (vector) => {
    const expected = vector.result === 'valid'
    expect(await isMatch(nodeHmac, vector)).toBe(expected)
    expect(await isMatch(webHmac, vector)).toBe(expected)
  })
})

describe('JSONTestSuite', () => {
  it('has the 318 texts that were published', () => {
    const hash = createHash('sha256')
    for (const [name, text] of JSON_TEXTS) hash.update(`${name}\n`).update(text)
    expect(JSON_TEXTS).toHaveLength(318)
    expect(hash.digest('hex')).toBe('23264751d1883fa7966f88b3a7fc98fd8f4629432ab0eb7884b90e9bb26224a2')
  })

  it.each(JSON_TEXTS)('%s is a body that is read, or one that is not JSON', async (name, body) => {
    const digest = createHmac('sha256', SECRET).update(body.toString('base64')).update(T).digest('hex')
    const outcomes = [
      outcomeOf(() => verifySync(body, `t=${T},v3=${digest}`, options)),
      await verify(body, `t=${T},v3=${digest}`, options).then(() => 'read', codeOf),
    ]
    expect(outcomes[1]).toBe(outcomes[0])
    expect(outcomes[0]).toBe(expectedOf(name, body))
  })

  const valid = JSON_TEXTS.filter(([name]) => name.startsWith('y_'))
  it.each(valid)('%s has the v2 signature that JavaScript makes', (_name, body) => {
    const text = stringify(JSON.parse(body.toString())).replace(/[ \r\n]/g, '')
    const digest = createHmac('sha256', SECRET).update(text).update(T).digest('hex')
    const { versions } = verifySignatureSync(body, `t=${T},v2=${digest}`, { ...options, versions: ['v2'] })
    expect(versions).toEqual(['v2'])
  })
})

/** What the suite leaves open is JSON if it is UTF-8 and JavaScript reads it. */
function expectedOf(name: string, body: Buffer): string {
  if (name.startsWith('y_')) return 'read'
  if (name.startsWith('n_')) return 'ERR_BODY_NOT_JSON'
  return outcomeOf(() => JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body)))
}

function outcomeOf(run: () => unknown): string {
  try {
    run()
    return 'read'
  } catch (error) {
    return codeOf(error)
  }
}

function codeOf(error: unknown): string {
  if (WebhookError.is(error)) return error.code
  if (error instanceof SyntaxError || error instanceof TypeError) return 'ERR_BODY_NOT_JSON'
  throw error
}
