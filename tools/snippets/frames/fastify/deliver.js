import { deepStrictEqual } from 'node:assert'
import { serviceSignature } from '@service-signature/fastify'
import { fastify } from 'fastify'
import { snippet } from '../frame.js'

/** The status of what the snippet injects, and how often the handler ran. */
async function answerWith(secret) {
  let handled = 0
  const app = fastify()
  await app.register(serviceSignature, { secret })
  app.post('/webhooks', { config: { serviceSignature: true } }, (_request, reply) => {
    handled += 1
    return reply.code(204).send()
  })
  const { statusCode } = await snippet.deliver(app)
  return { statusCode, handled }
}

deepStrictEqual(await answerWith('test_secret'), { statusCode: 204, handled: 1 })
deepStrictEqual(await answerWith('another_secret'), { statusCode: 401, handled: 0 })
