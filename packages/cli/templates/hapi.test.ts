import { server as createServer } from '@hapi/hapi'
import { intentEvent, signedRequest } from '@service-signature/core/testing'
import { writeFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { webhooks } from './hapi.js'

const SECRET = 'test_signature_key'

/** Sends an event, and resolves to the status of the answer. */
async function deliver(secret: string) {
  const server = createServer()
  await server.register(webhooks(SECRET))
  const { body, ...request } = signedRequest(intentEvent(), { secret, url: '/webhooks' })
  return (await server.inject({ ...request, payload: body })).statusCode
}

it('answers a valid delivery with 204, and one that is signed with another secret with 401', async () => {
  const answers = [await deliver(SECRET), await deliver('another_signature_key')]
  // "service-signature init" runs this test, and reports the answers.
  const file = process.env['SERVICE_SIGNATURE_ANSWERS']
  if (file !== undefined) writeFileSync(file, JSON.stringify(answers))
  expect(answers).toEqual([204, 401])
})
