import { intentEvent, signedRequest } from '@service-signature/core/testing'
import { Hono } from 'hono'
import { writeFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { webhooks } from './hono.js'

const SECRET = 'test_signature_key'
process.env['WEBHOOK_SECRET'] = SECRET

/** Sends an event, and resolves to the status of the answer. */
async function deliver(secret: string) {
  const app = new Hono().post('/webhooks', webhooks)
  const request = signedRequest(intentEvent(), { secret, url: '/webhooks' })
  // On Node the secret comes from process.env, on Workers from this object.
  return (await app.request(request.url, request, { WEBHOOK_SECRET: SECRET })).status
}

it('answers a valid delivery with 204, and one that is signed with another secret with 401', async () => {
  const answers = [await deliver(SECRET), await deliver('another_signature_key')]
  // "service-signature init" runs this test, and reports the answers.
  const file = process.env['SERVICE_SIGNATURE_ANSWERS']
  if (file !== undefined) writeFileSync(file, JSON.stringify(answers))
  expect(answers).toEqual([204, 401])
})
