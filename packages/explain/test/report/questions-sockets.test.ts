import express from 'express'
import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { accented, event, header, secret } from '../support/genuine.js'
import { explained, type Arrival } from '../support/mistake.js'
import { inExpress } from '../support/places.js'

/** The fingerprint of a key. */
function print(key: string): string {
  return `sha256:${createHash('sha256').update(key).digest('hex').slice(0, 8)}`
}

describe('a fault that only the body shows is asked about', () => {
  it.each<[finding: string, sentence: string, make: () => Arrival | Promise<Arrival>]>([
    [
      'Did another parser take the body before it could be verified? The body is empty.',
      'a stream that express.json() has read',
      () => inExpress(express.json(), (req) => (req.read() as Buffer | null) ?? '', event, header),
    ],
    [
      'The body is what JavaScript prints for an object',
      'String(req.body)',
      () => inExpress(express.json(), (req) => String(req.body), event, header),
    ],
    [
      'The body is an empty JSON object',
      'req.body of Express 4 if no parser read the request',
      () => ({ body: JSON.stringify({}) }),
    ],
    [
      'The body is what JavaScript prints where there is no value',
      'req.body of Express 5 if no parser read the request',
      () => inExpress(express.json(), (req) => String(req.body), event, header, 'application/octet-stream'),
    ],
    ['The body is what JavaScript prints where there is no value', 'null', () => ({ body: 'null' })],
    [
      'Is the body compressed, and cut or damaged? The body is compressed: its first bytes are those of gzip.',
      'a proxy that compresses, and a limit that cuts',
      () => ({ body: gzipSync(event).subarray(0, 100) }),
    ],
    [
      'There are replacement characters (U+FFFD) where bytes were lost',
      'a body in Latin-1 that was read as UTF-8',
      () => ({ body: Buffer.from(accented, 'latin1').toString() }),
    ],
  ])('%s: %s', async (finding, _, make) => {
    const { report, text } = await explained(await make())
    expect(text.split('\n')[0]).toContain(finding)
    expect(report.hypotheses).toEqual([])
    expect(report.code).toBe('ERR_SIGNATURE_MISMATCH')
  })

  it('reports that no cause was found, and what to check next', async () => {
    const { report } = await explained({
      body: '{"amount":5}',
      options: { secret: ['first_secret', secret], apiKey: 'acct_1' },
    })
    const keys = [print('first_secret'), print(secret), print('acct_1')]
    expect(report.finding).toBe(
      'Was the body changed after it was signed, is it the body of another event, or is the delivery forged? No digest ' +
        `matches, neither under secret[0] (${keys[0]!}) nor under secret[1] (${keys[1]!}) nor under apiKey (${keys[2]!}).`,
    )
    expect(report.questions.map(({ name }) => name)).toEqual(['body-changed', 'key-other'])
    // No digest shows that it was not printed again, so it is not ruled out.
    expect(report.notTried).toContain('body-reserialized')
    expect(report.ruledOut).toContain('key-white-space')
  })
})
