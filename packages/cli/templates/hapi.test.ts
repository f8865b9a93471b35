import { server as createServer } from '@hapi/hapi'
import { signedRequest, transactionEvent } from '@service-signature/core/testing'
import { expect, it } from 'vitest'
import { webhooks } from './hapi.js'

const SECRET = 'test_signature_key'

/** Sends an event, and resolves to the status of the answer. */
async function deliver(secret: string) {
  const server = createServer()
  await server.register(webhooks(SECRET))
  const { body, ...request } = signedRequest(transactionEvent(), { secret, url: '/webhooks' })
  return (await server.inject({ ...request, payload: body })).statusCode
}

it('answers a valid delivery with 204', async () => {
  expect(await deliver(SECRET)).toBe(204)
})

it('refuses a delivery that is signed with another secret', async () => {
  expect(await deliver('another_signature_key')).toBe(401)
})
