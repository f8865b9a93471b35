import { server as createServer } from '@hapi/hapi'
import { signedRequest, transactionEvent } from '@service-signature/core/testing'
import { serviceSignature } from '@service-signature/hapi'
import assert from 'node:assert/strict'
import { test } from 'node:test'

const server = createServer()
await server.register({ plugin: serviceSignature, options: { secret: 'test_secret' } })
server.route({
  method: 'POST',
  path: '/webhooks',
  options: { auth: 'service-signature', payload: { parse: false, output: 'data' } },
  handler: (request, h) => h.response().code(204),
})

const deliver = (secret) => {
  const { body, ...request } = signedRequest(transactionEvent(), { secret, url: '/webhooks' })
  return server.inject({ ...request, payload: body })
}

test('a valid delivery is handled', async () => {
  assert.equal((await deliver('test_secret')).statusCode, 204)
})

test('a delivery that is signed with another secret is refused', async () => {
  assert.equal((await deliver('another_secret')).statusCode, 401)
})
