import stringify from 'fast-json-stable-stringify'
import { createHash, createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { verifySignatureSync, verifySync, WebhookError } from '../../src/entries/index.js'
import { verify } from '../../src/entries/index.web.js'
import type { Hmac } from '../../src/signature/hmac/hmac.js'
import { nodeHmac } from '../../src/signature/hmac/node.js'
import { webHmac } from '../../src/signature/hmac/web.js'
import { forEach } from '../support/for-each.js'
import { JSON_TEXTS, MAC_VECTORS, type MacVector } from '../support/published.js'
import { nameOf } from '../support/vectors.js'

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

  it.each([
    ['node:crypto', nodeHmac as Hmac],
    ['Web Crypto', webHmac as Hmac],
  ])('agrees with %s on each of them', (_name, hmac) =>
    forEach(MAC_VECTORS, nameOf, async (vector) => {
      expect(await isMatch(hmac, vector)).toBe(vector.result === 'valid')
    }),
  )
})

describe('JSONTestSuite', () => {
  it('has the 318 texts that were published', () => {
    const hash = createHash('sha256')
    for (const [name, text] of JSON_TEXTS) hash.update(`${name}\n`).update(text)
    expect(JSON_TEXTS).toHaveLength(318)
    expect(hash.digest('hex')).toBe('23264751d1883fa7966f88b3a7fc98fd8f4629432ab0eb7884b90e9bb26224a2')
  })

  it.each([
    ['valid', 'y_'],
    ['not JSON', 'n_'],
    ['either', 'i_'],
  ])('has texts that are %s, each a body that is read or refused as not JSON', (_what, prefix) =>
    forEach(textsOf(prefix), textName, async ([name, body]) => {
      const digest = createHmac('sha256', SECRET).update(body.toString('base64')).update(T).digest('hex')
      const outcomes = [
        outcomeOf(() => verifySync(body, `t=${T},v3=${digest}`, options)),
        await verify(body, `t=${T},v3=${digest}`, options).then(() => 'read', codeOf),
      ]
      expect(outcomes[1]).toBe(outcomes[0])
      expect(outcomes[0]).toBe(expectedOf(name, body))
    }),
  )

  it('has the v2 signatures that JavaScript makes of its valid texts', () =>
    forEach(textsOf('y_'), textName, ([, body]) => {
      const text = stringify(JSON.parse(body.toString())).replace(/[ \r\n]/g, '')
      const digest = createHmac('sha256', SECRET).update(text).update(T).digest('hex')
      const header = `t=${T},v2=${digest}`
      const { versions } = verifySignatureSync(body, header, { ...options, versions: ['v2'] })
      expect(versions).toEqual(['v2'])
    }))
})

const textName = ([name]: (typeof JSON_TEXTS)[number]): string => name

function textsOf(prefix: string): typeof JSON_TEXTS {
  return JSON_TEXTS.filter(([name]) => name.startsWith(prefix))
}

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
