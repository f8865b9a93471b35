// Jest gives each test file globals of its own: what Node made is no `instanceof` of them.
const { runInNewContext } = require('node:vm')
const { createVerifier, verify, verifySync, WebhookError } = require('@service-signature/core')
const { explain } = require('@service-signature/core/explain')
const { sign } = require('@service-signature/core/testing')
const { BODY, SECRET: secret, signatureOf } = require('./shared/deliveries.cjs')

const bytes = Buffer.from(BODY)
const elsewhere = runInNewContext('Uint8Array').from(bytes)
const bodies = [
  ['a Buffer', bytes],
  ['a Uint8Array of this realm', Uint8Array.from(bytes)],
  ['a Uint8Array of another realm', elsewhere],
  ['an ArrayBuffer of this realm', Uint8Array.from(bytes).buffer],
  ['an ArrayBuffer of another realm', elsewhere.buffer],
  ['a text', BODY],
]

test('there are two realms here', () => {
  expect(elsewhere).not.toBeInstanceOf(Uint8Array)
})

test.each(bodies)('%s is verified, signed and explained', async (_name, body) => {
  const header = signatureOf(BODY)
  await expect(verify(body, header, { secret })).resolves.toMatchObject({
    event: { type: 'intent.processed' },
  })
  expect(verifySync(body, sign(body, { secret }), { secret }).event.type).toBe('intent.processed')
  await expect(explain(body, header, { secret })).resolves.toMatchObject({ ok: true })
})

test.each(bodies)('%s is refused where it is forged', async (_name, body) => {
  const error = await verify(body, signatureOf('{}'), { secret }).catch((reason) => reason)
  expect(WebhookError.is(error)).toBe(true)
  expect(error).toMatchObject({ code: 'ERR_SIGNATURE_MISMATCH', status: 401 })
})

test('options of another realm are options, and a list of keys is a list', async () => {
  const options = runInNewContext('({ secret: ["previous_key", secret] })', { secret })
  await expect(createVerifier(options).verify(bytes, signatureOf(BODY))).resolves.toMatchObject({
    secretIndex: 1,
  })
})

test('an error of another copy of the package is known', () => {
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
