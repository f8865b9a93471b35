import { describe, expect, it, vi } from 'vitest'
import { memoryReplayStore, verifySignatureSync, verifySync, type VerifierOptions } from '../src/index.js'
import { intentEvent, sign, transactionEvent } from '../src/testing.js'
import { apiKey, now, secret, timestamp } from './support/deliveries.js'
import { entries } from './support/entries.js'
import { refusalOf } from './support/refusal.js'

type Expect = VerifierOptions['expect']

const versions = ['v3', 'v1'] as const
const ours = 'acc_ours'
const purchase = (id = ours) => transactionEvent({ account: { id: id } })
const paid = (account = ours, is_live?: boolean | null) =>
  intentEvent({ data: { intent: { account: account, ...(is_live !== undefined && { is_live }) } } })
const unrecognized = { type: 'card_token.created', account: { id: ours } }

const ACCOUNT = 'ERR_ACCOUNT_UNEXPECTED'
const MODE = 'ERR_MODE_UNEXPECTED'
const live = { live: true, transactionMode: 'unknown' } as const

describe.each(entries)('expect on $digest', ({ createVerifier, verify, verifySignature }) => {
  const signed = (payload: object) => {
    const body = JSON.stringify(payload)
    return { body, header: sign(body, { secret, apiKey, timestamp }) }
  }

  const cases: readonly (readonly [
    what: string,
    expected: object,
    payload: object,
    code: string | undefined,
  ])[] = [
    ['a transaction of the account', { account: ours }, purchase(), undefined],
    ['an intent of the account', { account: ours }, paid(), undefined],
    ['a transaction of another account', { account: ours }, purchase('acc_theirs'), ACCOUNT],
    ['an intent of another account', { account: ours }, paid('acc_theirs'), ACCOUNT],
    ['an account that differs in case', { account: ours }, purchase('ACC_OURS'), ACCOUNT],
    ['one of several accounts', { account: ['acc_1', ours] }, purchase(), undefined],
    ['none of several accounts', { account: ['acc_1', 'acc_2'] }, purchase(), ACCOUNT],
    ['an account that is a number', { account: '42' }, { ...purchase(), account: { id: 42 } }, ACCOUNT],
    ['an unrecognized event', { account: ours }, unrecognized, ACCOUNT],
    ['an unrecognized event where only the mode is expected', live, unrecognized, ACCOUNT],
    ['an event with an invalid payload', { account: ours }, { ...purchase(), intent: {} }, ACCOUNT],
    ['a live intent in live mode', live, paid(ours, true), undefined],
    ['a test intent in live mode', live, paid(ours, false), MODE],
    ['a live intent in test mode', { ...live, live: false }, paid(ours, true), MODE],
    ['a test intent in test mode', { ...live, live: false }, paid(ours, false), undefined],
    ['an intent without its mode', live, paid(ours, null), MODE],
    ['a transaction where its mode may be unknown', live, purchase(), undefined],
    ['the account before the mode', { account: ours, ...live }, paid('acc_theirs', false), ACCOUNT],
  ]

  describe.each([
    ['an object', (expected: object) => expected],
    ['a function', (expected: object) => () => expected],
    ['an asynchronous function', (expected: object) => () => Promise.resolve(expected)],
  ] as const)('as %s', (_form, as) => {
    it.each(cases)('%s', async (_what, expected, payload, code) => {
      const { body, header } = signed(payload)
      const options = { secret, now, expect: as(expected) as Expect }
      const store = memoryReplayStore()
      const claim = vi.spyOn(store, 'claim')
      const verifier = createVerifier({ ...options, replay: store })
      const handler = vi.fn()
      if (code === undefined) {
        expect((await verify(body, header, options)).event.payload).toEqual(payload)
        await verifier.receive(body, header, handler)
        expect(handler).toHaveBeenCalledOnce()
      } else {
        for (const refused of [
          await refusalOf(() => verify(body, header, options)),
          await refusalOf(() => verifier.verify(body, header)),
          await refusalOf(() => verifier.receive(body, header, handler)),
        ]) {
          expect(refused).toMatchObject({ code, status: 403, retryable: false })
        }
        expect(handler).not.toHaveBeenCalled()
        expect(claim).not.toHaveBeenCalled()
      }
    })
  })

  it.each([
    ['an unrecognized event', { account: ours }, unrecognized, undefined],
    ['a transaction, whose mode v1 proves', { live: true }, purchase(), undefined],
    ['an intent without its mode, which v1 proves', { live: true }, paid(ours, null), undefined],
    ['not a test intent in live mode', { live: true }, paid(ours, false), MODE],
    ['not another account', { account: ours }, paid('acc_theirs'), ACCOUNT],
  ] as const)('with v1 in versions, accepts %s', async (_what, expected, payload, code) => {
    const { body, header } = signed(payload)
    const verifying = verify(body, header, { secret, apiKey, versions, now, expect: expected })
    await (code === undefined
      ? expect(verifying).resolves.toBeDefined()
      : expect(verifying).rejects.toMatchObject({ code }))
  })

  it('is compared after the signature, so that a forgery learns nothing', async () => {
    const { header } = signed(purchase())
    const asked = vi.fn(() => ({ account: ours }))
    const refusal = await refusalOf(() =>
      verify(JSON.stringify(purchase('acc_theirs')), header, { secret, now, expect: asked }),
    )
    expect(refusal.code).toBe('ERR_SIGNATURE_MISMATCH')
    expect(asked).not.toHaveBeenCalled()
  })

  it('gets the request, and sees the bytes that were signed', async () => {
    const { body, header } = signed(purchase())
    const bytes = Buffer.from(body)
    const asked = vi.fn(async () => {
      await new Promise(setImmediate)
      bytes.fill(0)
      return { account: ours }
    })
    const verifier = createVerifier({ secret, now, expect: asked })
    const webhook = await verifier.verify(bytes, header, { request: 'the request' })
    expect(asked.mock.calls).toEqual([[{ request: 'the request' }]])
    expect(Buffer.from(webhook.rawBody).toString()).toBe(body)
  })

  it('names the account to the operator, at most 80 characters of it', async () => {
    const { body, header } = signed(purchase('a'.repeat(500)))
    const { message } = await refusalOf(() =>
      verify(body, header, { secret, now, expect: { account: ours } }),
    )
    expect(message).toContain(`"${'a'.repeat(80)}", expected "${ours}"`)
    expect(message.length).toBeLessThan(400)
  })

  it.each<[expected: unknown, message: string]>([
    [{ account: undefined }, '"expect.account" is undefined. Is the environment variable set?'],
    [{ account: ours, live: undefined }, '"expect.live" is undefined'],
    [{}, '"expect" must have "account", "live" or both'],
    [{ transactionMode: 'unknown' }, '"expect" must have "account", "live" or both'],
    [{ account: '' }, '"expect.account" must be the id of an account, or a list of ids, got ""'],
    [{ account: 'acc 1' }, '"expect.account" must be the id of an account'],
    [{ account: 5 }, '"expect.account" must be the id of an account, or a list of ids, got number'],
    [
      { account: [ours, undefined] },
      '"expect.account" must be the id of an account, or a list of ids, got undefined',
    ],
    [{ account: [] }, '"expect.account" is an empty list'],
    [{ live: 'true', transactionMode: 'unknown' }, '"expect.live" must be true or false, got string'],
    [{ live: true }, 'List v1 in "versions"'],
    [{ live: true, transactionMode: 'known' }, `"expect.transactionMode" must be 'unknown', or left out`],
    [{ acount: ours }, '"expect" has no option "acount". Did you mean "account"?'],
    [null, '"expect": expected an options object, got null'],
    ['acc_1', '"expect": expected an options object, got string'],
  ])('must not be %j', async (expected, message) => {
    expect(() => createVerifier({ secret, expect: expected as Expect })).toThrow(TypeError)
    expect(() => createVerifier({ secret, expect: expected as Expect })).toThrow(message)
    // From a function, it is the same error at the request: nothing is accepted without a comparison.
    const { body, header } = signed(purchase())
    const asked = () => expected as { account: string }
    await expect(verify(body, header, { secret, now, expect: asked })).rejects.toThrow(message)
    await expect(verify(body, header, { secret, now, expect: asked })).rejects.toBeInstanceOf(TypeError)
  })

  it('is refused by verifySignature, which reads no event', async () => {
    const { body, header } = signed(purchase('acc_theirs'))
    const options = { secret, now, expect: { account: ours } }
    await expect(verifySignature(body, header, options)).rejects.toThrow('use verify')
  })
})

describe('expect without a promise', () => {
  const body = JSON.stringify(purchase('acc_theirs'))
  const header = sign(body, { secret, timestamp })

  it('is compared by verifySync', () => {
    const webhook = verifySync(body, header, { secret, now, expect: { account: 'acc_theirs' } })
    expect(webhook.event.shape).toBe('transaction')
    expect(() => verifySync(body, header, { secret, now, expect: { account: ours } })).toThrow(
      expect.objectContaining({ code: ACCOUNT }) as Error,
    )
  })

  it('cannot be a function', () => {
    const options = { secret, now, expect: () => ({ account: ours }) }
    expect(() => verifySync(body, header, options as never)).toThrow('takes a promise: use verify')
    expect(() => verifySignatureSync(body, header, { secret, expect: { account: ours } })).toThrow(
      'use verify',
    )
  })
})
