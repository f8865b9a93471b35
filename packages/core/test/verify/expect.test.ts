import { describe, expect, it, vi } from 'vitest'
import {
  memoryReplayStore,
  type SecretOption,
  type VerifierOptions,
  verifySignatureSync,
  verifySync,
} from '../../src/entries/index.js'
import { intentEvent, sign, transactionEvent } from '../../src/entries/testing.js'
import { apiKey, now, secret, timestamp } from '../support/deliveries.js'
import { entries } from '../support/entries.js'
import { refusalOf } from '../support/refusal.js'

type Expect = VerifierOptions['expect']

const versions = ['v3', 'v1'] as const
const ours = 'acc_ours'
const purchase = (id = ours) => transactionEvent({ account: { id: id } })
const paid = (account = ours, is_live?: boolean | null) =>
  intentEvent({ data: { intent: { account: account, ...(is_live !== undefined && { is_live }) } } })
const theirs = 'acc_theirs'
/** An event of a family that is not known, which names accounts where the known families do: A, B, or both. */
const created = (a?: unknown, b?: unknown, is_live?: unknown) => ({
  type: 'card_token.created',
  ...(a !== undefined && { account: { id: a } }),
  ...((b !== undefined || is_live !== undefined) && { data: { intent: { account: b, is_live } } }),
})

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
    ['a transaction of another account', { account: ours }, purchase(theirs), ACCOUNT],
    ['an intent of another account', { account: ours }, paid(theirs), ACCOUNT],
    ['an account that differs in case', { account: ours }, purchase('ACC_OURS'), ACCOUNT],
    ['one of several accounts', { account: ['acc_1', ours] }, purchase(), undefined],
    ['none of several accounts', { account: ['acc_1', 'acc_2'] }, purchase(), ACCOUNT],
    ['an account that is a number', { account: '42' }, { ...purchase(), account: { id: 42 } }, ACCOUNT],
    ['an unrecognized event of the account', { account: ours }, created(ours), undefined],
    ['an unrecognized event of its intent', { account: ours }, created(undefined, ours), undefined],
    ['an unrecognized event that names it twice', { account: ours }, created(ours, ours), undefined],
    ['an unrecognized event of another account', { account: ours }, created(theirs), ACCOUNT],
    ["an unrecognized event of another's intent", { account: ours }, created(undefined, theirs), ACCOUNT],
    ['an unrecognized event that also names another', { account: ours }, created(ours, theirs), ACCOUNT],
    ['an unrecognized event that names another first', { account: ours }, created(theirs, ours), ACCOUNT],
    ['an unrecognized event that names two', { account: ['acc_1', ours] }, created('acc_1', ours), undefined],
    ['an unrecognized event without an account', { account: ours }, created(), ACCOUNT],
    ['an unrecognized event with a space in it', { account: ours }, created('acc_ ours'), ACCOUNT],
    ['an unrecognized event with a number', { account: '42' }, created(42), ACCOUNT],
    ['an unrecognized event with a list', { account: ours }, created([ours], [ours]), ACCOUNT],
    ['an unrecognized event of another form', { account: ours }, { type: 'a.b', account: ours }, ACCOUNT],
    [
      'an unrecognized event of nothing',
      { account: ours },
      { type: 'a.b', account: null, data: [] },
      ACCOUNT,
    ],
    ['an unrecognized event of a list', { account: ours }, [{ account: { id: ours } }], ACCOUNT],
    ['an invalid payload of the account', { account: ours }, { ...purchase(), intent: {} }, undefined],
    ['an invalid payload of another', { account: ours }, { ...purchase(theirs), intent: {} }, ACCOUNT],
    ['an unrecognized event where only the mode is expected', live, created(), undefined],
    ['an unrecognized event in live mode', live, created(undefined, ours, true), undefined],
    ['an unrecognized event in test mode', live, created(undefined, ours, false), MODE],
    ['an unrecognized event with a mode that is a text', live, created(undefined, ours, 'true'), MODE],
    ['an unrecognized event with a mode that is null', live, created(undefined, ours, null), undefined],
    ['a live intent in live mode', live, paid(ours, true), undefined],
    ['a test intent in live mode', live, paid(ours, false), MODE],
    ['a live intent in test mode', { ...live, live: false }, paid(ours, true), MODE],
    ['a test intent in test mode', { ...live, live: false }, paid(ours, false), undefined],
    ['an intent without its mode', live, paid(ours, null), MODE],
    ['a transaction where its mode may be unknown', live, purchase(), undefined],
    // A field that another family has means nothing.
    [
      'an intent with a field "account" of another',
      { account: ours },
      { ...paid(), account: { id: theirs } },
      undefined,
    ],
    [
      'a transaction with an intent of another in test mode',
      { account: ours, ...live },
      { ...purchase(), data: { intent: { account: theirs, is_live: false } } },
      undefined,
    ],
    ['an unrecognized event without an intent', live, { type: 'a.b', data: {} }, undefined],
    ['the account before the mode', { account: ours, ...live }, paid(theirs, false), ACCOUNT],
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
    [{ account: ours }, purchase(theirs), 'it is for account "acc_theirs", expected "acc_ours"'],
    [{ account: ['acc_1', 'acc_2'] }, purchase(), 'it is for account "acc_ours", expected one of 2 accounts'],
    [live, paid(ours, false), 'it is of test mode, expected live mode'],
    [{ ...live, live: false }, paid(ours, true), 'it is of live mode, expected test mode'],
    [live, paid(ours, null), 'it is of an unknown mode, expected live mode'],
  ] as const)('says what it expected, and what it got: %j', async (expected, payload, detail) => {
    const { body, header } = signed(payload)
    const refused = await refusalOf(() => verify(body, header, { secret, now, expect: expected }))
    expect(refused.message).toContain(detail)
  })

  describe.each<[form: string, keys: SecretOption, apiKeys: object]>([
    ['one API key', apiKey, {}],
    ['a list of one API key', [apiKey], {}],
    ['several API keys of ours', ['key_of_test_mode', apiKey], { apiKeys: 'ours' }],
    ['a function of API keys of ours', () => apiKey, { apiKeys: 'ours' }],
    ['a source of API keys of ours', { get: () => apiKey }, { apiKeys: 'ours' }],
  ])('with v1 and %s', (_form, keys, apiKeys) => {
    it.each([
      ['an unrecognized event without an account', { account: ours }, created(), undefined],
      ['an unrecognized event with a number', { account: ours }, created(42), undefined],
      ['an unrecognized event without a mode', { account: ours, live: true }, created(), undefined],
      ['a transaction, whose mode v1 proves', { live: true }, purchase(), undefined],
      ['an intent without its mode, which v1 proves', { live: true }, paid(ours, null), undefined],
      ['a test intent in live mode', { live: true }, paid(ours, false), MODE],
      ['an intent of another account', { account: ours }, paid(theirs), ACCOUNT],
      ['an unrecognized event of another account', { account: ours }, created(theirs), ACCOUNT],
      ['an unrecognized event in test mode', { live: true }, created(ours, ours, false), MODE],
    ] as const)('%s', async (_what, expected, payload, code) => {
      const { body, header } = signed(payload)
      for (const each of [{ ...expected, ...apiKeys }, () => ({ ...expected, ...apiKeys })] as Expect[]) {
        const options = { secret, apiKey: keys, versions, now, expect: each }
        const outcome = await verify(body, header, options).catch((error: unknown) => error)
        expect(outcome).toMatchObject(code === undefined ? { event: { payload } } : { code })
      }
    })
  })

  describe.each<[form: string, keys: SecretOption]>([
    ['several API keys', ['key_of_test_mode', apiKey]],
    ['a function of API keys', () => [apiKey]],
    ['a source of API keys', { get: () => apiKey }],
  ])('with v1 and %s, which may be of other accounts and modes', (_form, keys) => {
    const options = { secret, apiKey: keys, versions, now }

    it('cannot expect a mode', async () => {
      const message = '"expect.live" cannot be checked for transaction events'
      const { body, header } = signed(purchase())
      const store = memoryReplayStore()
      const claim = vi.spyOn(store, 'claim')
      const handler = vi.fn()
      for (const expected of [{ live: true }, { account: ours, live: false }]) {
        const making = () => createVerifier({ ...options, expect: expected })
        expect(making).toThrow(TypeError)
        expect(making).toThrow(message)
        expect(making).toThrow("apiKeys: 'ours'")
        const verifier = createVerifier({ ...options, expect: () => expected, replay: store })
        await expect(verifier.receive(body, header, handler)).rejects.toThrow(TypeError)
        await expect(verifier.verify(body, header)).rejects.toThrow(message)
      }
      expect(handler).not.toHaveBeenCalled()
      expect(claim).not.toHaveBeenCalled()
    })

    it('can expect a mode of the events that say it', async () => {
      const verifier = createVerifier({ ...options, expect: live })
      for (const [payload, code] of [
        [purchase(), undefined],
        [paid(ours, true), undefined],
        [paid(ours, false), MODE],
        [paid(ours, null), MODE],
      ] as const) {
        const { body, header } = signed(payload)
        const outcome = await verifier.verify(body, header).catch((error: unknown) => error)
        expect(outcome).toMatchObject(code === undefined ? { event: { payload } } : { code })
      }
    })

    it('can expect an account, and refuses events that name none', async () => {
      const verifier = createVerifier({ ...options, expect: { account: ours } })
      const accepted = signed(created(ours))
      expect((await verifier.verify(accepted.body, accepted.header)).event.shape).toBe('unrecognized')
      const { body, header } = signed(created())
      const handler = vi.fn()
      const refusal = await refusalOf(() => verifier.receive(body, header, handler))
      expect(refusal.code).toBe(ACCOUNT)
      expect(refusal.message).toContain('names no account')
      expect(refusal.message).toContain("apiKeys: 'ours'")
      expect(handler).not.toHaveBeenCalled()
    })
  })

  it('says of an event without an account what would prove it, and not to expect another', async () => {
    const { body, header } = signed(created())
    const { message } = await refusalOf(() =>
      verify(body, header, { secret, now, expect: { account: ours } }),
    )
    expect(message).toContain('names no account')
    expect(message).toContain("versions: ['v3', 'v1']")
    expect(message).not.toContain('add it')
  })

  it('is compared after the signature, so that a forgery learns nothing', async () => {
    const { header } = signed(purchase())
    const asked = vi.fn(() => ({ account: ours }))
    const refusal = await refusalOf(() =>
      verify(JSON.stringify(purchase(theirs)), header, { secret, now, expect: asked }),
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
    [
      { live: true, transactionMode: 'known' },
      `"expect.transactionMode" must be 'unknown', or left out, got string`,
    ],
    [{ account: ours, apiKeys: 'theirs' }, `"expect.apiKeys" must be 'ours', or left out, got string`],
    [{ account: ours, apiKeys: true }, `"expect.apiKeys" must be 'ours', or left out, got boolean`],
    [{ apiKeys: 'ours' }, '"expect" must have "account", "live" or both'],
    [{ live: true, apiKeys: 'ours' }, 'List v1 in "versions"'],
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
    const { body, header } = signed(purchase(theirs))
    const options = { secret, now, expect: { account: ours } }
    await expect(verifySignature(body, header, options)).rejects.toThrow('use verify')
  })
})

describe('expect without a promise', () => {
  const body = JSON.stringify(purchase(theirs))
  const header = sign(body, { secret, timestamp })

  it('is compared by verifySync', () => {
    const webhook = verifySync(body, header, { secret, now, expect: { account: theirs } })
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
