import { intentEvent, signedRequest } from '@service-signature/core/testing'
import express from 'express'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { webhooks } from './express.js'

const SECRET = 'test_signature_key'

/** Sends an event, and resolves to the status of the answer. */
async function deliver(secret: string) {
  const server = express().post('/webhooks', webhooks(SECRET)).listen(0)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const url = `http://127.0.0.1:${port}/webhooks`
  try {
    return (await fetch(url, signedRequest(intentEvent(), { secret, url }))).status
  } finally {
    server.close()
  }
}

it('answers a valid delivery with 204, and one that is signed with another secret with 401', async () => {
  const answers = [await deliver(SECRET), await deliver('another_signature_key')]
  // "service-signature init" runs this test, and reports the answers.
  const file = process.env['SERVICE_SIGNATURE_ANSWERS']
  if (file !== undefined) writeFileSync(file, JSON.stringify(answers))
  expect(answers).toEqual([204, 401])
})
