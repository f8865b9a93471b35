/** @jest-environment jsdom */
// Jest's jsdom asks for the condition "browser" and has CommonJS alone.
const { webcrypto } = require('node:crypto')
const { TextDecoder, TextEncoder } = require('node:util')
const { BODY, SECRET: secret, publicEntries, signatureOf } = require('./cases.cjs')

const coreEntries = ['@service-signature/core', '@service-signature/core/receiver']
const browserEntries = [...coreEntries, '@service-signature/explain']

test('the entries for browsers are those of CommonJS', () => {
  expect(publicEntries()).toEqual(expect.arrayContaining(browserEntries))
  for (const entry of browserEntries) {
    expect(require.resolve(entry)).toMatch(/[\\/]dist[\\/]\w+\.web\.cjs$/)
  }
})

test.each([...coreEntries, '@service-signature/core/testing', '@service-signature/fetch'])(
  '%s is loaded without the globals that jsdom lacks',
  (entry) => {
    expect(typeof globalThis.TextEncoder).toBe('undefined')
    expect(Object.keys(require(entry))).not.toEqual([])
  },
)

test('a delivery is verified with those globals of Node', async () => {
  const before = Object.getOwnPropertyDescriptor(globalThis, 'crypto')
  Object.defineProperty(globalThis, 'crypto', { value: webcrypto, configurable: true })
  Object.assign(globalThis, { TextDecoder, TextEncoder })
  try {
    const { verify } = require('@service-signature/core')
    const verified = verify(BODY, signatureOf(BODY), { secret })
    await expect(verified).resolves.toMatchObject({ event: { receivedType: 'intent.processed' } })
    const forged = verify(BODY, signatureOf('{}'), { secret })
    await expect(forged).rejects.toMatchObject({ code: 'ERR_SIGNATURE_MISMATCH' })
  } finally {
    Object.defineProperty(globalThis, 'crypto', before)
    delete globalThis.TextDecoder
    delete globalThis.TextEncoder
  }
})
