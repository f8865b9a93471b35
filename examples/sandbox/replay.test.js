import { serviceSignature } from '@service-signature/express'
import { replayRecorded } from '@service-signature/sandbox'
import express from 'express'
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'

test('recorded deliveries get the same answers as before', async (t) => {
  // The endpoint under test.
  const secret = 'test_signature_key'
  const app = express()
  app.post('/webhooks', serviceSignature({ secret }), (req, res) => {
    res.sendStatus(204)
  })
  const server = app.listen(0, '127.0.0.1')
  t.after(() => server.close())
  await once(server, 'listening')
  const url = `http://127.0.0.1:${server.address().port}/webhooks`

  const recordings = new URL('./recordings/', import.meta.url)
  for (const { file, status, recordedStatus } of await replayRecorded(recordings, { url, secret })) {
    assert.equal(status, recordedStatus, file)
  }
})
