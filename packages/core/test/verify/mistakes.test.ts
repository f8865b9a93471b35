import { describe, expect, it, vi } from 'vitest'
import { WebhookError } from '../../src/entries/index.js'
import { apiKey, hmac, known, now, plain, secret, timestamp, v3Message } from '../support/deliveries.js'
import { entries } from '../support/entries.js'
import { refusalOf } from '../support/refusal.js'

/** A v3 header over the body. */
function signed(body: Uint8Array | string, t: number | string = timestamp, key = secret): string {
  return `t=${t},v3=${hmac(key, v3Message(body, t))}`
}

// Mistakes of well-known libraries, each by its name. The vectors have more cases of each kind, by flag.
describe.each(entries)('known mistakes, on $digest', ({ createVerifier }) => {
  const verifier = createVerifier({ secret, now })

  describe('body gone', () => {
    it('@octokit/webhooks: a parsed body is rejected at once, before anything asynchronous', async () => {
      await expect(verifier.verify(JSON.parse(plain) as string, signed(plain))).rejects.toThrow(TypeError)
    })
  })

  describe('decode before MAC', () => {
    it('standardwebhooks: bodies that differ in 0xff and 0xfe do not share a signature', async () => {
      const header = signed(new Uint8Array([0x22, 0xff, 0x22]))
      const error = await refusalOf(() =>
        verifier.verifySignature(new Uint8Array([0x22, 0xfe, 0x22]), header),
      )
      expect(error.code).toBe('ERR_SIGNATURE_MISMATCH')
    })

    it('standardwebhooks: a correct signature over invalid UTF-8 is accepted', async () => {
      const body = new Uint8Array([0x22, 0xff, 0xc3, 0x28, 0x22])
      expect(await verifier.verifySignature(body, signed(body))).toMatchObject({ rawBody: body })
    })

    it('stripe: a byte order mark is part of the signed bytes', async () => {
      const marked = `\ufeff${plain}`
      expect((await verifier.verify(marked, signed(marked))).event.payload).toEqual(JSON.parse(plain))
      expect((await refusalOf(() => verifier.verify(plain, signed(marked)))).code).toBe(
        'ERR_SIGNATURE_MISMATCH',
      )
      expect((await refusalOf(() => verifier.verify(marked, signed(plain)))).code).toBe(
        'ERR_SIGNATURE_MISMATCH',
      )
    })

    it('bolt: a body with non-ASCII characters is hashed as its bytes', async () => {
      const body = '{"name":"Zo\u00eb \u{1f600}"}'
      expect((await verifier.verify(body, signed(body))).event.payload).toEqual({
        name: 'Zo\u00eb \u{1f600}',
      })
    })
  })

  describe('one-sided time', () => {
    it('stripe, bolt, workos: a signed timestamp ten years ahead is refused', async () => {
      const t = timestamp + 10 * 365 * 86_400
      expect((await refusalOf(() => verifier.verify(plain, signed(plain, t)))).code).toBe(
        'ERR_TIMESTAMP_IN_FUTURE',
      )
    })

    it('abs() with one window: the future gets a window of its own', async () => {
      const t = timestamp + 61
      expect((await refusalOf(() => verifier.verify(plain, signed(plain, t)))).code).toBe(
        'ERR_TIMESTAMP_IN_FUTURE',
      )
      expect(await verifier.verify(plain, signed(plain, timestamp - 300))).toMatchObject({
        timestamp: timestamp - 300,
      })
    })
  })

  describe('lenient parsing', () => {
    it.each([
      ['stripe, standardwebhooks: t=123abc', signed(plain, `${timestamp}abc`)],
      ['stripe: the last of two t', `t=1,${signed(plain)}`],
      ['stripe: the first of two t', `${signed(plain)},t=1`],
      ['workos: NaN passes if signed', signed(plain, 'NaN')],
      ['a repeated v3, one of which matches', `${signed(plain)},v3=${'0'.repeat(64)}`],
    ])('%s is malformed', async (_, header) => {
      expect((await refusalOf(() => verifier.verify(plain, header))).code).toBe('ERR_SIGNATURE_MALFORMED')
    })

    it('workos: v0 is not accepted as a version', async () => {
      const header = signed(plain).replace('v3=', 'v0=')
      expect((await refusalOf(() => verifier.verify(plain, header))).code).toBe(
        'ERR_SIGNATURE_VERSION_MISSING',
      )
    })

    it('stripe: a header with 20,000 elements is refused before it is parsed', async () => {
      const header = `${signed(plain)}${',v9=0'.repeat(20_000)}`
      const search = vi.spyOn(String.prototype, 'indexOf')
      const error = await refusalOf(() => verifier.verify(plain, header))
      const calls = search.mock.calls.length
      search.mockRestore()
      expect(error.code).toBe('ERR_SIGNATURE_MALFORMED')
      expect(calls).toBe(0)
    })
  })

  it('magic zero: a tolerance of 0 does not mean "off"', () => {
    expect(() => createVerifier({ secret, toleranceSeconds: 0 })).toThrow(RangeError)
  })

  describe('weak keys', () => {
    it('adyen: a key that is not hex is used as text, never as an empty key', async () => {
      const hexless = createVerifier({ secret: 'not hex at all', now })
      expect(await hexless.verify(plain, signed(plain, timestamp, 'not hex at all'))).toMatchObject({
        secretIndex: 0,
      })
      // What a verifier with the empty key would accept; this digest is from Python's hmac:
      // hmac.new(b"", base64.b64encode(b'{"a":1,"b":"x"}') + b"1743090080", "sha256").hexdigest()
      const empty = `t=${timestamp},v3=2858c59a03621824b281fa537c03bf30926bba25df641a69e615f482c257336e`
      expect((await refusalOf(() => hexless.verify(plain, empty))).code).toBe('ERR_SIGNATURE_MISMATCH')
    })

    it('standardwebhooks: a secret of one byte is refused', () => {
      expect(() => createVerifier({ secret: 'k' })).toThrow(TypeError)
    })
  })

  describe('catch-all to false', () => {
    it('a failing source reports a missing secret, not a signature mismatch', async () => {
      const broken = createVerifier({ secret: () => Promise.reject(new TypeError('a bug')), now })
      const error = await refusalOf(() => broken.verify(plain, signed(plain)))
      expect(error).toMatchObject({ code: 'ERR_SECRET_UNAVAILABLE', cause: new TypeError('a bug') })
    })

    it("a programmer's error stays a TypeError", async () => {
      const call = verifier.verify(undefined as unknown as string, signed(plain))
      await expect(call).rejects.toSatisfy((error) => error instanceof TypeError && !WebhookError.is(error))
    })
  })

  it('secret per request (bolt): the source is not called if there is no signature', async () => {
    const get = vi.fn(() => secret)
    await refusalOf(() => createVerifier({ secret: get, now }).verify(plain, undefined))
    expect(get).not.toHaveBeenCalled()
  })

  it('404 on an unknown event (shopify): an event of an unknown type is returned', async () => {
    const body = '{"type":"payout.created"}'
    expect((await verifier.verify(body, signed(body))).event).toMatchObject({
      shape: 'unrecognized',
      receivedType: 'payout.created',
    })
  })

  it('plain SyntaxError (stripe, standardwebhooks): a signed body that is not JSON is refused with a code', async () => {
    const error = await refusalOf(() => verifier.verify('OK confidential', signed('OK confidential')))
    expect(error).toMatchObject({ code: 'ERR_BODY_NOT_JSON', status: 400 })
    // JSON.parse quotes the text in its own message.
    expect(`${error.stack ?? ''}${String(error.cause)}`).not.toContain('confidential')
  })

  it('forwarders that re-serialize (smee-client): the forwarded body is refused', async () => {
    const sent = '{ "amount": 10.0 }'
    const forwarded = JSON.stringify(JSON.parse(sent))
    expect((await refusalOf(() => verifier.verify(forwarded, signed(sent)))).code).toBe(
      'ERR_SIGNATURE_MISMATCH',
    )
  })

  // The text that such a sender signs for v2: the keys are sorted, and the rest is as it was sent.
  it.each([
    ['136.0 became 136', '{"value":136.0}'],
    ['10.0', '{"value":10.0}'],
    ['1e-7', '{"value":1e-7}'],
    ['integers over 2^53', '{"value":9007199254740993}'],
    ['an escaped slash', '{"value":"a\\/b"}'],
    ['an escaped e acute', '{"value":"\\u00e9"}'],
    ['a raw e acute', '{"value":"\u00e9"}'],
    ['U+2028', '{"value":"\u2028"}'],
    ['integer-like keys', '{"10":1,"2":2}'],
    ['__proto__', '{"__proto__":{"a":1},"a":2}'],
    ['locale-aware sorting', '{"B":1,"a":2,"\u00e4":3}'],
  ])('re-serialized JSON: v2 is valid over %s', async (_, body) => {
    const header = `t=${timestamp},v2=${hmac(secret, body + String(timestamp))}`
    const v2 = createVerifier({ secret, versions: ['v2'], now })
    expect(await v2.verify(body, header)).toMatchObject({ canonicalForm: 'source' })
    expect((await refusalOf(() => v2.verify(body.replace('{', '{"more":1,'), header))).code).toBe(
      'ERR_SIGNATURE_MISMATCH',
    )
  })

  it('downgrade: with v3 listed, a correct v1 and v2 are not enough', async () => {
    const message = plain + String(timestamp)
    const header = `t=${timestamp},v1=${hmac(apiKey, message)},v2=${hmac(secret, message)}`
    const all = createVerifier({ secret, apiKey, versions: ['v1', 'v2', 'v3'], now })
    for (const strict of [verifier, all]) {
      expect((await refusalOf(() => strict.verify(plain, header))).code).toBe('ERR_SIGNATURE_VERSION_MISSING')
    }
  })

  it('raw string (one SDK, for five years): a string verifies as its UTF-8 bytes', async () => {
    expect(await verifier.verify(known.body, known.header)).toMatchObject({ timestamp })
  })
})

it('two implementations that disagree (octokit): both entries refuse with the same messages', async () => {
  for (const header of [
    undefined,
    '',
    't=1',
    `t=1,v3=${'0'.repeat(64)}`,
    `t=${timestamp},v3=${'0'.repeat(64)}`,
  ]) {
    const [node, web] = await Promise.all(
      entries.map(({ createVerifier }) =>
        refusalOf(() => createVerifier({ secret, now }).verify(plain, header)),
      ),
    )
    expect(web).toMatchObject({ code: node?.code, message: node?.message, status: node?.status })
  }
})
