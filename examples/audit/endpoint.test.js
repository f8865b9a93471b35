import { audit, formatText } from '@service-signature/audit'
import { serviceSignature } from '@service-signature/node'
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { test } from 'node:test'

test('the endpoint refuses every forgery, and loses no delivery', async (t) => {
  const secret = 'test_signature_key'
  const handled = new Set()
  const handle = serviceSignature({ secret }, async (webhook) => {
    handled.add(webhook.event.type)
  })
  const server = createServer(handle).listen(0, '127.0.0.1')
  t.after(() => server.close())
  await once(server, 'listening')

  const report = await audit(`http://127.0.0.1:${server.address().port}/webhooks`, { secret })
  assert.equal(report.passed, report.total, formatText(report))
  assert.ok(handled.has('transaction.purchase.successful'))
})
