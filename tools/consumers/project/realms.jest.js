// Jest gives each test file its own globals: objects that Node made are not instances of their classes.
const { runInNewContext } = require('node:vm')
const { createVerifier, verify, verifySync, WebhookError } = require('@service-signature/core')
const { sign } = require('@service-signature/core/testing')
const { explain } = require('@service-signature/explain')
const { casesFor } = require('./cases.cjs')
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

test.each(casesFor(require))('%s', async (_title, run) => {
  await run()
})

test('the tests use two realms', () => {
  expect(elsewhere).not.toBeInstanceOf(Uint8Array)
})

test.each(bodies)('accepts, signs and explains %s, and refuses a forged one', async (_name, body) => {
  const genuine = { event: { receivedType: 'intent.processed' } }
  await expect(verify(body, signatureOf(BODY), { secret })).resolves.toMatchObject(genuine)
  expect(verifySync(body, sign(body, { secret }), { secret })).toMatchObject(genuine)
  await expect(explain(body, signatureOf(BODY), { secret })).resolves.toMatchObject({ ok: true })
  const error = await verify(body, signatureOf('{}'), { secret }).catch((reason) => reason)
  expect(WebhookError.is(error)).toBe(true)
  expect(error).toMatchObject({ code: 'ERR_SIGNATURE_MISMATCH', status: 401 })
})

test('accepts options and a list of keys from another realm', async () => {
  const options = runInNewContext('({ secret: ["previous_key", secret] })', { secret })
  const verified = createVerifier(options).verify(bytes, signatureOf(BODY))
  await expect(verified).resolves.toMatchObject({ secretIndex: 1 })
})

test('recognizes an error of another copy of the package', async () => {
  let copy
  jest.isolateModules(() => {
    copy = require('@service-signature/core')
  })
  const error = await copy.verify(bytes, undefined, { secret }).catch((reason) => reason)
  expect(error).not.toBeInstanceOf(WebhookError)
  expect(WebhookError.is(error)).toBe(true)
})
