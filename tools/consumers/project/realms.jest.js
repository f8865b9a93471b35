// Jest gives each test file its own globals: objects that Node made are not instances of their classes.
const { runInNewContext } = require('node:vm')
const { createVerifier, verify, verifySync, WebhookError } = require('@service-signature/core')
const { explain } = require('@service-signature/explain')
const { sign } = require('@service-signature/core/testing')
const { BODY, SECRET: secret, signatureOf } = require('./delivery.cjs')

const bytes = Buffer.from(BODY)
const elsewhere = runInNewContext('Uint8Array').from(bytes)
const bodies = [
  ['a Buffer', bytes],
  ['a Uint8Array of this realm', Uint8Array.from(bytes)],
  ['a Uint8Array of another realm', elsewhere],
  ['an ArrayBuffer of this realm', Uint8Array.from(bytes).buffer],
  ['an ArrayBuffer of another realm', elsewhere.buffer],
  ['a string', BODY],
]

test('the tests use two realms', () => {
  expect(elsewhere).not.toBeInstanceOf(Uint8Array)
})

test.each(bodies)('accepts, signs and explains %s', async (_name, body) => {
  const header = signatureOf(BODY)
  await expect(verify(body, header, { secret })).resolves.toMatchObject({
    event: { receivedType: 'intent.processed' },
  })
  expect(verifySync(body, sign(body, { secret }), { secret }).event.receivedType).toBe('intent.processed')
  await expect(explain(body, header, { secret })).resolves.toMatchObject({ ok: true })
})

test.each(bodies)('refuses a forged delivery in %s', async (_name, body) => {
  const error = await verify(body, signatureOf('{}'), { secret }).catch((reason) => reason)
  expect(WebhookError.is(error)).toBe(true)
  expect(error).toMatchObject({ code: 'ERR_SIGNATURE_MISMATCH', status: 401 })
})

test('accepts options and a list of keys from another realm', async () => {
  const options = runInNewContext('({ secret: ["previous_key", secret] })', { secret })
  await expect(createVerifier(options).verify(bytes, signatureOf(BODY))).resolves.toMatchObject({
    secretIndex: 1,
  })
})

test('recognizes an error of another copy of the package', () => {
  let another
  jest.isolateModules(() => {
    another = require('@service-signature/core').WebhookError
  })
  expect(another).not.toBe(WebhookError)
  let error
  jest.isolateModules(() => {
    const copy = require('@service-signature/core')
    try {
      copy.verifySync(bytes, undefined, { secret })
    } catch (reason) {
      error = reason
    }
  })
  expect(error).not.toBeInstanceOf(WebhookError)
  expect(WebhookError.is(error)).toBe(true)
})
