import { deepStrictEqual } from 'node:assert'
import { server as createServer } from '@hapi/hapi'
import { serviceSignature } from '@service-signature/hapi'
import { snippet } from '../frame.js'

/** The status of what the snippet injects, and how often the handler ran. */
async function answerWith(secret) {
  let handled = 0
  const server = createServer()
  await server.register({ plugin: serviceSignature, options: { secret } })
  server.route({
    method: 'POST',
    path: '/webhooks',
    options: { auth: 'service-signature', payload: { parse: false, output: 'data' } },
    handler(_request, h) {
      handled += 1
      return h.response().code(204)
    },
  })
  const { statusCode } = await snippet.deliver(server)
  return { statusCode, handled }
}

deepStrictEqual(await answerWith('test_secret'), { statusCode: 204, handled: 1 })
deepStrictEqual(await answerWith('another_secret'), { statusCode: 401, handled: 0 })
