const { deepStrictEqual, match, notStrictEqual, ok, strictEqual } = require('node:assert')
const { spawnSync } = require('node:child_process')
const { join } = require('node:path')
const { test } = require('node:test')
const { casesFor, publicEntries, tryAudit } = require('../cases.cjs')
const { BODY, SECRET, send, signatureOf } = require('../delivery.cjs')
const { hosts } = require('../hosts.cjs')

for (const { entry, isDual } of publicEntries()) {
  test(`${entry} is required, with the names of the ES module`, async () => {
    const path = require.resolve(entry)
    ok(path.includes('node_modules') && path.endsWith(isDual ? '.cjs' : '.mjs'), path)
    deepStrictEqual(Object.keys(require(entry)).sort(), Object.keys(await import(entry)).sort())
  })
}

for (const [title, run] of casesFor(require)) test(title, run)
test('audit finds nothing wrong with an endpoint of ours', () => tryAudit(require))

test('an error of the ES module is recognized by the CommonJS module', async () => {
  const { WebhookError } = require('@service-signature/core')
  const copy = await import('@service-signature/core')
  notStrictEqual(copy.WebhookError, WebhookError)
  const error = await copy.verify(BODY, undefined, { secret: SECRET }).catch((reason) => reason)
  ok(!(error instanceof WebhookError) && WebhookError.is(error))
})

test('an adapter that is required takes a verifier and a store of the ES module, which know its errors', async () => {
  const { createVerifier, memoryReplayStore, WebhookError } = await import('@service-signature/core')
  const handled = []
  const rejected = []
  const options = {
    verifier: createVerifier({ secret: SECRET }),
    replay: memoryReplayStore(),
    onRejected: (error) => rejected.push(error),
  }
  const server = await hosts.node(require, options, ({ event }) => handled.push(event.type))
  const url = `http://127.0.0.1:${server.address().port}/webhooks`
  const signature = signatureOf(BODY)
  strictEqual(await send(url, BODY, signature), 204)
  strictEqual(await send(url, BODY, signature), 200)
  strictEqual(await send(url, '{}', signature), 401)
  deepStrictEqual(handled, ['unrecognized'])
  deepStrictEqual([rejected.length, rejected.every(WebhookError.is)], [1, true])
  server.closeAllConnections()
  server.close()
})

for (const [body, status, output] of [
  [BODY, 0, /^Genuine: /],
  ['{}', 1, /^ERR_SIGNATURE_MISMATCH: /],
]) {
  test(`the installed command exits with ${status} for the signature of ${body}`, () => {
    const command = join(__dirname, '../node_modules/.bin/service-signature')
    const env = { ...process.env, SERVICE_SIGNATURE_SECRET: SECRET }
    const options = { input: BODY, env, encoding: 'utf8' }
    const result = spawnSync(command, ['verify', '--header', signatureOf(body)], options)
    match(result.stdout, output, result.stderr)
    strictEqual(result.status, status)
  })
}
