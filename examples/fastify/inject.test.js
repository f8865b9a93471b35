import { signedRequest, transactionEvent } from '@service-signature/core/testing'
import { serviceSignature } from '@service-signature/fastify'
import { fastify } from 'fastify'
import assert from 'node:assert/strict'
import { test } from 'node:test'

const app = fastify()
await app.register(serviceSignature, { secret: 'test_secret' })
app.post('/webhooks', { config: { serviceSignature: true } }, async (request, reply) =>
  reply.code(204).send(),
)

const deliver = (secret) => app.inject(signedRequest(transactionEvent(), { secret, url: '/webhooks' }))

test('a valid delivery is handled', async () => {
  assert.equal((await deliver('test_secret')).statusCode, 204)
})

test('a delivery that is signed with another secret is refused', async () => {
  assert.equal((await deliver('another_secret')).statusCode, 401)
})
