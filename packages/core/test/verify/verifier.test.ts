import { createHash, createHmac } from 'node:crypto'
import { inspect } from 'node:util'
import { describe, expect, it, vi } from 'vitest'
import {
  createVerifier,
  type SecretOption,
  type SecretSource,
  type VerifierOptions,
  verify,
  verifySignature,
  verifySignatureSync,
  verifySync,
} from '../../src/entries/index.js'
import * as web from '../../src/entries/index.web.js'
import { apiKey, hmac, known, now, plain, secret, timestamp, v3Message } from '../support/deliveries.js'
import { entries } from '../support/entries.js'
import { refusalOf } from '../support/refusal.js'

const fingerprintOfSecret = `sha256:${createHash('sha256').update(secret).digest('hex').slice(0, 8)}`
const digests = {
  v1: hmac(apiKey, plain + String(timestamp)),
  v2: hmac(secret, plain + String(timestamp)),
  v3: hmac(secret, v3Message(plain)),
}
const header = `t=${timestamp},v1=${digests.v1},v2=${digests.v2},v3=${digests.v3}`

describe.each(entries)('a verifier on $digest', (entry) => {
  it('verifies the known answer', async () => {
    const webhook = await entry.createVerifier({ secret, now }).verify(known.body, known.header)
    expect(webhook).toEqual({
      timestamp,
      signedAt: new Date('2025-03-27T15:41:20.000Z'),
      versions: ['v3'],
      rawBody: new TextEncoder().encode(known.body),
      secretIndex: 0,
      keyFingerprint: fingerprintOfSecret,
      event: expect.objectContaining({ shape: 'unrecognized', payload: 'webhook_payload' }) as unknown,
    })
  })

  it.each(['verify', 'verifySignature'] as const)(
    '%s works on a copy of the body while it waits for the secret',
    async (call) => {
      const verifier = entry.createVerifier({ secret: () => Promise.resolve(secret), now })
      const buffer = new TextEncoder().encode(plain)
      const verified = verifier[call](buffer, header)
      buffer.fill(65)
      expect(Buffer.from((await verified).rawBody).toString()).toBe(plain)
    },
  )

  it.each(['verify', 'verifySignature'] as const)(
    '%s for a single delivery works on a copy while it waits for the secret',
    async (call) => {
      const buffer = new TextEncoder().encode(plain)
      const verified = entry[call](buffer, header, { secret: () => Promise.resolve(secret), now })
      buffer.fill(65)
      expect(Buffer.from((await verified).rawBody).toString()).toBe(plain)
    },
  )

  it('verifies all three versions together', async () => {
    const verifier = entry.createVerifier({ secret, apiKey, versions: ['v1', 'v2', 'v3'], now })
    expect(await verifier.verifySignature(plain, header)).toMatchObject({
      versions: ['v1', 'v2', 'v3'],
      secretIndex: 0,
      canonicalForm: 'source',
    })
  })

  it('passes the context to the source of the secret', async () => {
    const source = vi.fn(() => secret)
    const verifier = entry.createVerifier({ now, secret: source })
    const context = { request: 'a request' }
    await verifier.verify(known.body, known.header, context)
    expect(source.mock.calls).toEqual([[context]])
  })

  it('does not ask a source again for a body that is not JSON', async () => {
    const refresh = vi.fn(() => 'new_key')
    const verifier = entry.createVerifier({ secret: { get: () => secret, refresh }, versions: ['v2'], now })
    const error = await refusalOf(() => verifier.verifySignature('{', header))
    expect(error.code).toBe('ERR_BODY_NOT_JSON')
    expect(refresh).not.toHaveBeenCalled()
  })

  it('refuses a mismatch under keys that were fetched for the delivery', async () => {
    const source = { fetchCount: 0, get: () => `another_key_${source.fetchCount++}` }
    const verifier = entry.createVerifier({ secret: source, now })
    expect((await refusalOf(() => verifier.verify(plain, header))).code).toBe('ERR_SIGNATURE_MISMATCH')
  })

  it('names the function that was given a misspelled option', async () => {
    await expect(entry.verify(plain, header, { secrets: secret } as never)).rejects.toThrow(
      'verify has no option "secrets". Did you mean "secret"?',
    )
  })

  it.each(['verify', 'verifySignature'] as const)('%s says how to pass the secret', async (call) => {
    const verifying = entry[call](known.body, known.header, secret as never)
    await expect(verifying).rejects.toThrow(
      new TypeError(`${call}: expected an options object, got string: pass { secret }`),
    )
  })

  it('reports a body in the place of the header', async () => {
    const verifier = entry.createVerifier({ secret, now })
    const handler = vi.fn()
    const long = JSON.stringify({ long: 'x'.repeat(2000) })
    for (const body of [plain, long, Buffer.from(plain), new Uint8Array(2), new ArrayBuffer(2)]) {
      const refusal = await refusalOf(() => verifier.receive(known.header, body as string, handler))
      expect(refusal.code).toBe('ERR_SIGNATURE_MALFORMED')
      expect(refusal.message).toContain('it looks like a body: the order is (body, header)')
    }
    expect(handler).not.toHaveBeenCalled()
  })

  it('has methods that can be passed on as functions', async () => {
    const { verify, verifySignature, receive } = entry.createVerifier({ secret, now })
    expect(await verify(known.body, known.header)).toMatchObject({ timestamp })
    expect(await verifySignature(known.body, known.header)).toMatchObject({ timestamp })
    expect(await receive(known.body, known.header, () => 1)).toMatchObject({ result: 1 })
  })

  it('has no canonical form if v2 is not required', async () => {
    const proof = await entry.createVerifier({ secret, now }).verifySignature(plain, header)
    expect(Object.keys(proof)).not.toContain('canonicalForm')
  })

  it('reports the index of the API key if only v1 is required', async () => {
    const verifier = entry.createVerifier({ apiKey: ['another_key', apiKey], versions: ['v1'], now })
    expect(await verifier.verifySignature(plain, header)).toMatchObject({ secretIndex: 1 })
  })

  it('does not parse the body in verifySignature', async () => {
    const body = new Uint8Array([0xff, 0xfe])
    const signed = `t=${timestamp},v3=${hmac(secret, v3Message(body))}`
    const verifier = entry.createVerifier({ secret, now })
    expect((await verifier.verifySignature(body, signed)).rawBody).toEqual(body)
    expect((await refusalOf(() => verifier.verify(body, signed))).code).toBe('ERR_BODY_NOT_JSON')
  })

  it('names the versions that do not match', async () => {
    const verifier = entry.createVerifier({ secret, apiKey: 'another_key', versions: ['v1', 'v3'], now })
    const error = await refusalOf(() => verifier.verify(`${plain}\n`, header))
    expect(error).toMatchObject({ code: 'ERR_SIGNATURE_MISMATCH', status: 401, retryable: false })
    expect(error.message).toMatch(
      /does not match the body: v1 under apiKey sha256:\w+; v3 under secret sha256:\w+\. /,
    )
  })

  it('reports by how much a delivery is late or early', async () => {
    const late = entry.createVerifier({ secret, now: () => (timestamp + 412.5) * 1000 })
    expect((await refusalOf(() => late.verify(plain, header))).message).toContain(
      'too long ago: 412.5 seconds ago; toleranceSeconds is 300. ',
    )
    const early = entry.createVerifier({ secret, now: () => (timestamp - 61) * 1000 })
    expect((await refusalOf(() => early.verify(plain, header))).message).toContain(
      'in the future: 61 seconds ahead; futureToleranceSeconds is 60. ',
    )
  })

  it('uses Date.now as the clock by default', async () => {
    const error = await refusalOf(() => entry.createVerifier({ secret }).verify(plain, header))
    expect(error.code).toBe('ERR_TIMESTAMP_TOO_OLD')
  })

  it('throws a TypeError when the clock does not return a number', async () => {
    const verifier = entry.createVerifier({ secret, now: () => Number.NaN })
    await expect(verifier.verify(plain, header)).rejects.toThrow(
      new TypeError('"now" must return a number of milliseconds, got NaN'),
    )
  })

  it('throws a TypeError for a parsed body, even if the header would be refused', async () => {
    const verifier = entry.createVerifier({ secret, now })
    await expect(verifier.verify({} as string, undefined)).rejects.toThrow(TypeError)
  })

  it.each([
    ['no header', undefined, 'ERR_SIGNATURE_MISSING'],
    ['a malformed header', 't=1', 'ERR_SIGNATURE_VERSION_MISSING'],
    ['a stale header', header.replace('t=17', 't=16'), 'ERR_TIMESTAMP_TOO_OLD'],
  ])('refuses %s without reading the body or calling for the secret', async (_, value, code) => {
    const get = vi.fn(() => secret)
    const read = vi.fn((target: Uint8Array, name: string | symbol): unknown => Reflect.get(target, name))
    const body = new Proxy(new Uint8Array(2), { get: read })
    const verifier = entry.createVerifier({ secret: get, now })
    expect((await refusalOf(() => verifier.verify(body, value))).code).toBe(code)
    expect(get).not.toHaveBeenCalled()
    expect(read).not.toHaveBeenCalled()
  })

  it('names the version that is missing', async () => {
    const verifier = entry.createVerifier({ secret, now, versions: ['v3', 'v2'] })
    const { message } = await refusalOf(() => verifier.verify(plain, known.header))
    expect(message).toContain('lacks a version that is required here: v2. ')
  })

  // `slice` of a Buffer does not copy.
  it.each([
    ['a Uint8Array', (text: string) => new TextEncoder().encode(text)],
    ['a Buffer', (text: string) => Buffer.from(text)],
    ['an ArrayBuffer', (text: string) => new TextEncoder().encode(text).buffer],
  ])('verifies and parses the same bytes, whenever the caller changes those of %s', async (_, bodyOf) => {
    const verifier = entry.createVerifier({ secret, now })
    const forged = new TextEncoder().encode(plain.replace('1', '9'))
    const seen = new Set<unknown>()
    for (let ticks = 0; ticks < 10; ticks++) {
      const body = bodyOf(plain)
      const result = verifier.verify(body, header).then(
        ({ event, rawBody }) => [event.payload, Buffer.from(rawBody).toString()],
        () => 'refused',
      )
      for (let i = 0; i < ticks; i++) await Promise.resolve()
      new Uint8Array(
        body instanceof ArrayBuffer ? body : body.buffer,
        'byteOffset' in body ? body.byteOffset : 0,
      ).set(forged)
      seen.add(JSON.stringify(await result))
    }
    // Whether the change was in time does not matter: only the signed bytes are accepted. On Node, `rawBody` is the
    // caller's own, and shows what the caller wrote after the answer was found.
    const accepted = JSON.stringify([{ a: 1, b: 'x' }, plain])
    const changedLater = JSON.stringify([{ a: 1, b: 'x' }, Buffer.from(forged).toString()])
    const allowed = entry.digest === 'Web Crypto' ? [accepted] : [accepted, changedLater]
    for (const outcome of seen) expect([...allowed, '"refused"']).toContain(outcome)
    expect(seen.has(accepted) || seen.has(changedLater)).toBe(true)
  })

  it('is not affected by later changes to its options', async () => {
    const secrets = [secret]
    const versions: ('v1' | 'v3')[] = ['v3']
    const options = { secret: secrets, apiKey, versions, now, toleranceSeconds: 300 }
    const verifier = entry.createVerifier(options)
    secrets[0] = 'another_key'
    versions[0] = 'v1'
    options.toleranceSeconds = 0
    const { versions: listed } = await verifier.verifySignature(plain, header)
    expect(() => (listed as string[]).push('v1')).toThrow(TypeError)
    expect(await verifier.verifySignature(plain, header)).toMatchObject({ versions: ['v3'] })
  })
})

describe.each(entries)('keys from a source on $digest', (entry) => {
  const sources: [string, SecretOption][] = [
    ['a function', () => secret],
    ['an async function', () => Promise.resolve([secret])],
    ['an object', { get: () => secret }],
    [
      'an instance with private state',
      new (class Vault {
        readonly #secret = secret
        get() {
          return Promise.resolve(this.#secret)
        }
      })(),
    ],
  ]
  it.each(sources)('may come from %s', async (_, source) => {
    expect(await entry.createVerifier({ secret: source, now }).verifySignature(plain, header)).toMatchObject({
      secretIndex: 0,
    })
  })

  it('are requested for every delivery, so that a rotated key takes effect at once', async () => {
    const get = vi.fn<() => string[]>().mockReturnValueOnce(['another_key', secret]).mockReturnValue([secret])
    const verifier = entry.createVerifier({ secret: get, now })
    expect((await verifier.verifySignature(plain, header)).secretIndex).toBe(1)
    expect((await verifier.verifySignature(plain, header)).secretIndex).toBe(0)
    expect(get).toHaveBeenCalledTimes(2)
  })

  it('keep their index, even if one is listed twice', async () => {
    const verifier = entry.createVerifier({ secret: () => ['one_key', 'one_key', secret], now })
    expect((await verifier.verifySignature(plain, header)).secretIndex).toBe(2)
  })

  it('of a kind that no listed version needs are not requested', async () => {
    const get = vi.fn(() => apiKey)
    await entry.createVerifier({ secret, apiKey: get, now }).verify(plain, header)
    expect(get).not.toHaveBeenCalled()
  })

  describe('refreshed on a mismatch', () => {
    it('are tried again if one of them is new', async () => {
      const refresh = vi.fn(() => [secret, 'another_key'])
      const verifier = entry.createVerifier({ secret: { get: () => 'another_key', refresh }, now })
      expect(await verifier.verify(plain, header)).toMatchObject({ secretIndex: 0 })
      expect(refresh).toHaveBeenCalledTimes(1)
    })

    it('refuse the delivery if there is no new key, or if it does not match either', async () => {
      for (const refreshed of ['another_key', 'a_third_key']) {
        const source = { get: () => 'another_key', refresh: () => refreshed }
        const error = await refusalOf(() =>
          entry.createVerifier({ secret: source, now }).verify(plain, header),
        )
        expect(error.code).toBe('ERR_SIGNATURE_MISMATCH')
      }
    })

    it('are not requested if anything else is wrong', async () => {
      const refresh = vi.fn(() => 'another_key')
      const verifier = entry.createVerifier({ secret: { get: () => secret, refresh }, now })
      const notJson = `t=${timestamp},v3=${hmac(secret, v3Message('{'))}`
      expect((await refusalOf(() => verifier.verify('{', notJson))).code).toBe('ERR_BODY_NOT_JSON')
      expect((await refusalOf(() => verifier.verify(plain, 't=1'))).code).toBe(
        'ERR_SIGNATURE_VERSION_MISSING',
      )
      await verifier.verify(plain, header)
      expect(refresh).not.toHaveBeenCalled()
    })

    it('make the refusal retryable if the refresh fails', async () => {
      const source = { get: () => 'another_key', refresh: () => Promise.reject(new Error('sealed')) }
      const error = await refusalOf(() => entry.createVerifier({ secret: source, now }).verify(plain, header))
      expect(error).toMatchObject({ code: 'ERR_SECRET_UNAVAILABLE', cause: new Error('sealed') })
    })

    it('replace the kind that changed and keep the other', async () => {
      const both: VerifierOptions = { versions: ['v1', 'v3'], now }
      const newSecret = { secret: { get: () => 'another_key', refresh: () => secret }, apiKey: () => apiKey }
      const newApiKey = { secret, apiKey: { get: () => 'another_key', refresh: () => apiKey } }
      for (const keys of [newSecret, newApiKey]) {
        expect(await entry.createVerifier({ ...both, ...keys }).verify(plain, header)).toMatchObject({
          timestamp,
        })
      }
    })
  })

  describe('by request', () => {
    const accounts: Record<string, SecretSource> = {
      '/webhooks/a': { get: () => secret },
      '/webhooks/b': { get: () => 'another_key' },
    }
    const verifier = entry.createVerifier({
      secret: ({ request }) => accounts[(request as { url: string }).url],
      now,
    })

    it('come from the source that the function returns', async () => {
      expect(await verifier.verify(plain, header, { request: { url: '/webhooks/a' } })).toMatchObject({
        timestamp,
      })
      expect(
        await verifier.verifySignature(plain, header, { request: { url: '/webhooks/a' } }),
      ).toMatchObject({
        timestamp,
      })
      const other = await refusalOf(() => verifier.verify(plain, header, { request: { url: '/webhooks/b' } }))
      expect(other.code).toBe('ERR_SIGNATURE_MISMATCH')
    })

    it('are unknown for an account that the function does not know', async () => {
      const error = await refusalOf(() => verifier.verify(plain, header, { request: { url: '/webhooks/c' } }))
      expect(error).toMatchObject({ code: 'ERR_SECRET_UNKNOWN', status: 401, retryable: false })
      expect((await refusalOf(() => verifier.verify(plain, header))).code).toBe('ERR_SECRET_UNAVAILABLE')
    })

    it('are correct for more accounts than are cached', async () => {
      const many = entry.createVerifier({ secret: ({ request }) => request as string, now })
      for (let i = 0; i < 250; i++) {
        const error = await refusalOf(() => many.verify(plain, header, { request: `secret_of_account_${i}` }))
        expect(error.code).toBe('ERR_SIGNATURE_MISMATCH')
      }
      expect(await many.verify(plain, header, { request: secret })).toMatchObject({ timestamp })
    })
  })

  it('may determine the time of the retry', async () => {
    for (const [cause, seconds] of [
      [Object.assign(new Error('cooling down'), { retryAfterSeconds: 42 }), 42],
      [Object.assign(new Error('cooling down'), { retryAfterSeconds: '42' }), 10],
      [undefined, 10],
      [null, 10],
    ]) {
      // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- a source may reject with anything
      const verifier = entry.createVerifier({ secret: () => Promise.reject(cause), now })
      const error = await refusalOf(() => verifier.verify(plain, header))
      expect(error).toMatchObject({ code: 'ERR_SECRET_UNAVAILABLE', retryAfterSeconds: seconds })
    }
  })

  it.each<[string, () => unknown]>([
    ['rejects', () => Promise.reject(new Error('the vault is sealed'))],
    [
      'throws',
      () => {
        throw new Error('the vault is sealed')
      },
    ],
    ['gives an empty key', () => ''],
    ['gives an empty list', () => []],
    ['gives a key with a line break', () => `${secret}\n`],
    ['gives a Buffer', () => Buffer.from(secret)],
  ])('that %s make the refusal retryable', async (_, get) => {
    const verifier = entry.createVerifier({ secret: get as () => string, now })
    const error = await refusalOf(() => verifier.verify(plain, header))
    expect(error).toMatchObject({ code: 'ERR_SECRET_UNAVAILABLE', status: 503, retryable: true })
    expect(error.message).toContain('the source of "secret" failed')
    expect(error.cause).toBeInstanceOf(Error)
    expect(inspect(error, { depth: Infinity })).not.toContain(secret)
  })
})

describe('without a promise', () => {
  it('returns the same as with a promise', async () => {
    const verifier = createVerifier({ secret, now })
    expect(verifier.verifySync(known.body, known.header)).toEqual(
      await verifier.verify(known.body, known.header),
    )
    expect(verifier.verifySignatureSync(known.body, known.header)).toEqual(
      await verifier.verifySignature(known.body, known.header),
    )
  })

  it('requires fixed keys', () => {
    const verifier = createVerifier({ secret: () => secret, now })
    expect(() => verifier.verifySync(plain, header)).toThrow(
      new TypeError('Keys from a source take a promise: use verify or verifySignature'),
    )
  })
})

describe('in one call', () => {
  const options = { secret, now }

  it('with node:crypto', async () => {
    const event = { shape: 'unrecognized', payload: 'webhook_payload' }
    expect(await verify(known.body, known.header, options)).toMatchObject({ timestamp, event })
    expect(await verifySignature(known.body, known.header, options)).toMatchObject({ timestamp })
    expect(verifySync(known.body, known.header, options)).toMatchObject({ timestamp, event })
    expect(verifySignatureSync(known.body, known.header, options)).toMatchObject({ timestamp })
  })

  it('with Web Crypto', async () => {
    const event = { shape: 'unrecognized', payload: 'webhook_payload' }
    expect(await web.verify(known.body, known.header, options)).toMatchObject({ timestamp, event })
    expect(await web.verifySignature(known.body, known.header, options)).toMatchObject({ timestamp })
  })

  const functions = {
    verify,
    verifySignature,
    verifySync: async (...delivery: Parameters<typeof verifySync>) =>
      Promise.resolve(verifySync(...delivery)),
    verifySignatureSync: async (...delivery: Parameters<typeof verifySignatureSync>) =>
      Promise.resolve(verifySignatureSync(...delivery)),
    'verify of the web': web.verify,
    'verifySignature of the web': web.verifySignature,
  }

  describe.each(Object.entries(functions))('%s', (name, call) => {
    const signed = (body: string) => `t=${timestamp},v3=${hmac(secret, v3Message(body))}`

    it.each<[code: string, body: string, header: string | undefined, age: number]>([
      ['ERR_SIGNATURE_MISSING', known.body, undefined, 0],
      ['ERR_SIGNATURE_MALFORMED', known.body, `${known.header},t=1`, 0],
      ['ERR_SIGNATURE_VERSION_MISSING', known.body, `t=${timestamp}`, 0],
      ['ERR_TIMESTAMP_TOO_OLD', known.body, known.header, 301],
      ['ERR_TIMESTAMP_IN_FUTURE', known.body, known.header, -61],
      ['ERR_SIGNATURE_MISMATCH', '"other"', known.header, 0],
    ])('refuses with %s', async (code, body, value, age) => {
      const error = await refusalOf(() => call(body, value, { secret, now: () => now() + age * 1000 }))
      expect(error.code).toBe(code)
    })

    it('checks the options first, then the body, then the header', async () => {
      const parsed = {} as string
      await expect(async () => call(parsed, undefined, options)).rejects.toThrow(
        'The body must be the raw bytes',
      )
      await expect(async () => call(parsed, undefined, {})).rejects.toThrow('"secret" is missing')
      await expect(async () => call(parsed, undefined, { ...options, sercet: 1 } as object)).rejects.toThrow(
        'Did you mean "secret"?',
      )
    })

    it(`${name.startsWith('verifySignature') ? 'does not parse' : 'parses'} the body`, async () => {
      const outcome = refusalOf(() => call('no JSON', signed('no JSON'), options))
      if (name.startsWith('verifySignature')) await expect(outcome).rejects.toThrow('nothing was refused')
      else expect((await outcome).code).toBe('ERR_BODY_NOT_JSON')
    })
  })

  it('calls a source for its keys, and again when they do not match', async () => {
    const source = { get: () => 'test_former_key', refresh: vi.fn(() => secret) }
    for (const call of [verify, verifySignature, web.verify, web.verifySignature]) {
      expect(await call(known.body, known.header, { secret: source, now })).toMatchObject({ timestamp })
    }
    expect(source.refresh).toHaveBeenCalledTimes(4)
  })

  it('rejects instead of throwing when the options are wrong', async () => {
    await expect(verify(known.body, known.header, {})).rejects.toThrow(TypeError)
    await expect(web.verify(known.body, known.header, {})).rejects.toThrow(TypeError)
  })
})

describe('the shape of the message that is hashed', () => {
  it('never has more than 64 KiB of base64 in memory', async () => {
    const { createHash } = await import('node:crypto')
    const body = Buffer.alloc(3_000_001, 'ab')
    const signed = `t=${timestamp},v3=${hmac(secret, v3Message(body))}`
    const prototype = Object.getPrototypeOf(createHash('sha256')) as {
      update: (data: string | Uint8Array) => unknown
    }
    const update = vi.spyOn(prototype, 'update')
    createVerifier({ secret, now }).verifySignatureSync(body, signed)
    const lengths = update.mock.calls.map(([data]) => data.length)
    update.mockRestore()
    expect(Math.max(...lengths)).toBeLessThanOrEqual(64 * 1024)
    // The block of the key comes first.
    expect(lengths.reduce((sum, length) => sum + length, 0)).toBe(64 + v3Message(body).length)
  })
})

describe('on Node with fixed keys', () => {
  it('nothing is copied, because everything is done when the call returns', async () => {
    const body = Buffer.from(plain)
    expect((await createVerifier({ secret, now }).verify(body, header)).rawBody).toBe(body)
    expect((await verify(body, header, { secret, now })).rawBody).toBe(body)
    expect(verifySync(body, header, { secret, now }).rawBody).toBe(body)
  })

  it('a body in shared memory is still copied', async () => {
    const shared = new Uint8Array(new SharedArrayBuffer(plain.length))
    shared.set(Buffer.from(plain))
    const verifier = createVerifier({ secret, now })
    const proofs = [
      await verifier.verify(shared, header),
      verifier.verifySync(shared, header),
      verifier.verifySignatureSync(shared, header),
      verifySync(shared, header, { secret, now }),
      verifySignatureSync(shared, header, { secret, now }),
    ]
    shared.fill(65)
    for (const { rawBody } of proofs) expect(Buffer.from(rawBody).toString()).toBe(plain)
  })

  it('more keys than are cached verify, too', () => {
    for (let account = 0; account < 101; account++) {
      const key = `key_of_${account}`
      const digest = createHmac('sha256', key).update(v3Message(plain)).digest('hex')
      const proof = verifySignatureSync(plain, `t=${timestamp},v3=${digest}`, { secret: key, now })
      const hash = createHash('sha256').update(key).digest('hex')
      expect(proof.keyFingerprint).toBe(`sha256:${hash.slice(0, 8)}`)
    }
  })
})
