import { signedRequest, transactionEvent } from '@service-signature/core/testing'
import { Hono } from 'hono'
import { expect, it } from 'vitest'
import { webhooks } from './hono.js'

const SECRET = 'test_signature_key'
process.env['WEBHOOK_SECRET'] = SECRET

/** Sends an event, and resolves to the status of the answer. */
async function deliver(secret: string) {
  const app = new Hono().post('/webhooks', webhooks)
  const request = signedRequest(transactionEvent(), { secret, url: '/webhooks' })
  // On Node the secret comes from process.env, on Workers from this object.
  return (await app.request(request.url, request, { WEBHOOK_SECRET: SECRET })).status
}

it('answers a valid delivery with 204', async () => {
  expect(await deliver(SECRET)).toBe(204)
})

it('refuses a delivery that is signed with another secret', async () => {
  expect(await deliver('another_signature_key')).toBe(401)
})
