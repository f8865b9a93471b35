import { signedRequest, transactionEvent } from '@service-signature/core/testing'
import { fastify } from 'fastify'
import { expect, it } from 'vitest'
import webhooks from './fastify.js'

const SECRET = 'test_signature_key'
process.env['WEBHOOK_SECRET'] = SECRET

/** Sends an event, and resolves to the status of the answer. */
async function deliver(secret: string) {
  const app = fastify()
  await app.register(webhooks)
  return (await app.inject(signedRequest(transactionEvent(), { secret, url: '/webhooks' }))).statusCode
}

it('answers a valid delivery with 204', async () => {
  expect(await deliver(SECRET)).toBe(204)
})

it('refuses a delivery that is signed with another secret', async () => {
  expect(await deliver('another_signature_key')).toBe(401)
})
