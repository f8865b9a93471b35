/** @jest-environment jsdom */
// Jest's jsdom uses the condition "browser" and supports only CommonJS.
const { webcrypto } = require('node:crypto')
const { TextDecoder, TextEncoder } = require('node:util')
const { runInThisContext } = require('node:vm')
const { BODY, SECRET: secret, signatureOf } = require('./delivery.cjs')

const core = '@service-signature/core'
const browserEntries = [core, `${core}/receiver`, '@service-signature/explain']
const [Request, Response] = ['Request', 'Response'].map((name) => runInThisContext(name))

test.each(browserEntries)('%s is the entry for browsers in CommonJS', (entry) => {
  expect(require.resolve(entry)).toMatch(/[\\/]dist[\\/]\w+\.web\.cjs$/)
})

test.each([...browserEntries, `${core}/testing`, '@service-signature/fetch'])(
  '%s is loaded without the globals that jsdom lacks',
  (entry) => {
    expect(typeof globalThis.TextEncoder).toBe('undefined')
    expect(Object.keys(require(entry))).not.toEqual([])
  },
)

test('verifiedWebhook works without the globals that jsdom lacks', () => {
  const { intentEvent, verifiedWebhook } = require('@service-signature/core/testing')
  const { payload, rawBody, versions } = verifiedWebhook(intentEvent())
  expect(versions).toEqual(['v3'])
  expect(JSON.parse(Buffer.from(rawBody).toString('latin1'))).toEqual(payload)
})

test('deliveries are verified, explained and handled with the globals of Node', async () => {
  Object.defineProperty(globalThis, 'crypto', { value: webcrypto, configurable: true })
  // Node has no module that exports Request and Response; its own context has them.
  Object.assign(globalThis, { Request, Response, TextDecoder, TextEncoder })
  const { explain } = require('@service-signature/explain')
  const { serviceSignature } = require('@service-signature/fetch')
  const options = { secret, timeLimitMilliseconds: 10_000 }
  const report = await explain(`${BODY}\n`, signatureOf(BODY), options)
  expect(report).toMatchObject({ ok: false, hypotheses: [{ names: ['body-trailing-newline'] }] })

  const handler = jest.fn()
  const handle = serviceSignature({ secret }, handler)
  const statusOf = async (signature) => {
    const headers = { 'Service-Signature': signature }
    return (await handle(new Request('http://localhost', { method: 'POST', headers, body: BODY }))).status
  }
  expect(await statusOf(signatureOf('{}'))).toBe(401)
  expect(handler).not.toHaveBeenCalled()
  expect(await statusOf(signatureOf(BODY))).toBe(204)
  expect(handler).toHaveBeenCalledTimes(1)
})
