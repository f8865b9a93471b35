import { explain } from '@service-signature/explain'
import { describe, expect, it, vi } from 'vitest'
import { deliveryOf, now, secret, sign, watched } from './support/deliveries.js'
import { recorded } from './support/origins.js'

const event = Buffer.from('{"type":"payout.sent","name":"Caf\u00e9"}')
const base64 = event.toString('base64')

describe('a body in base64', () => {
  it('is decoded to its bytes, whatever they are', async () => {
    const { handler, invoke } = watched()
    const body = Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), event])
    expect(await invoke(deliveryOf(body))).toMatchObject({ statusCode: 204 })
    expect(Buffer.from(handler.mock.lastCall![0].rawBody)).toEqual(body)
  })

  it('that is not UTF-8 has a valid signature, but is not JSON', async () => {
    const { outcomeOf } = watched()
    const body = Buffer.from([0x22, 0xff, 0xfe, 0xc3, 0x28, 0x00, 0x22])
    const refusals = ['ERR_BODY_NOT_JSON']
    expect(await outcomeOf(deliveryOf(body))).toEqual({ statusCode: 400, refusals, handled: 0 })
  })

  it.each<[what: string, body: string]>([
    ['is the text itself', event.toString()],
    ['has another alphabet', Buffer.from('{"a":"\u00bf>?"}').toString('base64url')],
    ['has no padding', base64.replace(/=+$/, '')],
    ['has too much padding', `${base64}=`],
    ['continues after its padding', `${base64}${base64}`],
    ['has a line break', `${base64.slice(0, 8)}\n${base64.slice(8)}`],
    ['has a space at its end', `${base64} `],
    ['has unused bits', base64.replace(/.=$/, '1=')],
    ['has a letter beyond ASCII', `${base64.slice(0, -4)}\u0100${base64.slice(-3)}`],
  ])('that %s is refused instead of guessed', async (_what, body) => {
    // The signature is valid for the bytes that a lenient decoder would return, which must not be used.
    const guessed = Buffer.from(body, 'base64')
    const { onRejected, outcomeOf } = watched()
    const refusals = ['ERR_BODY_CONSUMED']
    expect(await outcomeOf(deliveryOf(guessed, { body }))).toEqual({ statusCode: 500, refusals, handled: 0 })
    const { message, retryable } = onRejected.mock.lastCall![0]
    expect(retryable).toBe(true)
    expect(message).toContain('event.body is not valid base64; in Lambda, nothing may change event.body')
    expect(message).not.toContain('payout')
  })
})

describe('a body as text', () => {
  it('is read as its UTF-8 bytes', async () => {
    const { handler, invoke } = watched()
    const text = { body: event.toString(), isBase64Encoded: false }
    expect(await invoke(deliveryOf(event, text))).toMatchObject({ statusCode: 204 })
    expect(Buffer.from(handler.mock.lastCall![0].rawBody)).toEqual(event)
  })

  it('that looks like base64 is text', async () => {
    const { outcomeOf } = watched()
    const refusals = ['ERR_SIGNATURE_MISMATCH']
    const flagged = deliveryOf(event, { isBase64Encoded: false })
    expect(await outcomeOf(flagged)).toEqual({ statusCode: 401, refusals, handled: 0 })
  })

  it('in which a gateway has replaced bytes cannot be verified, and the error says why', async () => {
    const { onRejected, outcomeOf } = watched()
    const latin1 = Buffer.from('{"type":"payout.sent","name":"Caf\u00e9"}', 'latin1')
    const replaced = deliveryOf(latin1, { body: latin1.toString('utf8'), isBase64Encoded: false })
    const refusals = ['ERR_SIGNATURE_MISMATCH']
    expect(await outcomeOf(replaced)).toEqual({ statusCode: 401, refusals, handled: 0 })
    const { header, body } = onRejected.mock.lastCall![1]
    const { finding } = await explain(body!, header, { secret, now })
    expect(finding).toContain('replacement characters (U+FFFD) where bytes were lost')
  })
})

describe('a body that is not a string', () => {
  it.each<[what: string, body: unknown]>([
    ['an object', { type: 'payout.sent' }],
    ['a list', [1]],
    ['a number', 5],
    ['true', true],
    ['false', false],
    ['0', 0],
    ['bytes, printed as JSON', { type: 'Buffer', data: [...event] }],
  ])(
    '(%s) is refused with a status that lets the sender retry, and the error says how to fix it',
    async (_what, body) => {
      const { onRejected, outcomeOf } = watched()
      const refusals = ['ERR_BODY_CONSUMED']
      expect(await outcomeOf(deliveryOf(event, { body }))).toEqual({ statusCode: 500, refusals, handled: 0 })
      const { message } = onRejected.mock.lastCall![0]
      expect(message).toContain('event.body is not a string; in Lambda')
      expect(message).toContain('in API Gateway use a Lambda proxy integration')
      expect(message).not.toContain('payout')
    },
  )
})

describe('the limit', () => {
  const body = Buffer.from(JSON.stringify({ text: '\u00e9'.repeat(100) }))
  const text = { body: body.toString(), isBase64Encoded: false }

  it.each<[how: string, changes: object]>([
    ['in base64', {}],
    ['as text', text],
  ])('counts the bytes of a body %s', async (_how, changes) => {
    const { outcomeOf } = watched({ bodyLimit: body.length })
    expect(await outcomeOf(deliveryOf(body, changes))).toMatchObject({ statusCode: 204, refusals: [] })
    const less = watched({ bodyLimit: body.length - 1 })
    expect(await less.outcomeOf(deliveryOf(body, changes))).toEqual({
      statusCode: 413,
      refusals: ['ERR_BODY_TOO_LARGE'],
      handled: 0,
    })
  })

  it.each([0, 1, 2, 3])('does not count padding: %i bytes over a multiple of 3', async (over) => {
    const padded = Buffer.from(`"${'x'.repeat(28 + over)}"`)
    const { outcomeOf } = watched({ bodyLimit: padded.length })
    expect(await outcomeOf(deliveryOf(padded))).toMatchObject({ statusCode: 204 })
  })

  it('is checked before anything is decoded', async () => {
    const from = vi.spyOn(Buffer, 'from')
    const { outcomeOf } = watched({ bodyLimit: 100 })
    const events = [deliveryOf(body), deliveryOf(body, text), deliveryOf(body, { body: '!'.repeat(200) })]
    from.mockClear()
    for (const large of events) await outcomeOf(large)
    const { calls } = from.mock
    from.mockRestore()
    expect(calls).toEqual([])
    expect((await outcomeOf(events[0])).refusals).toEqual(Array(4).fill('ERR_BODY_TOO_LARGE'))
  })

  it('is 1 MiB by default', async () => {
    const mebibyte = 1024 * 1024
    const { outcomeOf } = watched()
    const whole = Buffer.from(`"${'x'.repeat(mebibyte - 2)}"`)
    expect(await outcomeOf(deliveryOf(whole))).toMatchObject({ statusCode: 204 })
    expect(await outcomeOf(deliveryOf(Buffer.concat([whole, Buffer.from(' ')])))).toMatchObject({
      statusCode: 413,
      handled: 1,
    })
  })
})

it('accepts a delivery that passed through JSON unchanged', async () => {
  const { outcomeOf } = watched()
  const original = recorded('load-balancer')
  const through = JSON.parse(JSON.stringify(original)) as typeof original
  expect(sign(Buffer.from(through.body!))).toBe(original.headers!['service-signature'])
  expect(await outcomeOf(through)).toMatchObject({ statusCode: 204 })
})
