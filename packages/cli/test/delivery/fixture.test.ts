import { describe, expect, it } from 'vitest'
import { run } from '../support/command.js'
import { file } from '../../../terminal/test/support/files.js'
import { env, known, timestamp } from '../support/truth.js'

/** A delivery as the sandbox records it. */
function fixture(fields: object = {}): string {
  return file(
    JSON.stringify({
      format: 'service-signature-delivery',
      version: 1,
      recorded_at: '2025-03-27T14:21:20.000000Z',
      type: 'intent.processed',
      url: 'http://127.0.0.1:3000/webhooks',
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'Service-Signature': known.header },
      body: known.body,
      answer: { status: 204 },
      ...fields,
    }),
    'delivery.json',
  )
}

describe('A fixture of the sandbox', () => {
  const now = ['--now', String(timestamp)]

  it.each([
    ['text', {}],
    ['base64', { body: undefined, body_base64: Buffer.from(known.body).toString('base64') }],
  ])('is verified and explained, with its body as %s', async (_, fields) => {
    const path = fixture(fields)
    for (const name of ['verify', 'explain']) {
      const outcome = await run([name, '--request', path, ...now], { env })
      expect(outcome).toMatchObject({ code: 0, stderr: '' })
    }
  })

  it.each([
    ['a changed body is refused', { body: 'other' }, 'ERR_SIGNATURE_MISMATCH'],
    ['a delivery that was sent without a signature is refused', { headers: {} }, 'ERR_SIGNATURE_MISSING'],
  ])('%s', async (_, fields, code) => {
    const outcome = await run(['verify', '--request', fixture(fields), ...now], { env })
    expect(outcome.code).toBe(1)
    expect(outcome.stdout).toContain(code)
  })

  it.each([
    [
      'without a body',
      fixture.bind(undefined, { body: undefined }),
      [],
      'must have a string "body" or "body_base64".',
    ],
    [
      'whose base64 is not base64',
      fixture.bind(undefined, { body: undefined, body_base64: '%' }),
      [],
      'This is not base64: it contains "%".',
    ],
    [
      'without headers',
      fixture.bind(undefined, { headers: undefined }),
      [],
      'must be an object whose values are strings',
    ],
    ['with another --entry', fixture.bind(undefined, {}), ['--entry', '2'], 'there is no entry 2.'],
  ])('%s is wrong use', async (_, make, argv, words) => {
    const outcome = await run(['verify', '--request', make(), ...argv, ...now], { env })
    expect(outcome.code).toBe(2)
    expect(outcome.stderr).toContain(words)
  })
})
