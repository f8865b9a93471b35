import { intentEvent, signedRequest } from '@service-signature/core/testing'
import { writeFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { handler } from './lambda.js'

const SECRET = 'test_signature_key'
process.env['WEBHOOK_SECRET'] = SECRET

/** Sends an event, and resolves to the status of the answer. */
async function deliver(secret: string) {
  const { url, headers, body } = signedRequest(intentEvent(), { secret, url: '/webhooks' })
  const requestContext = { http: { method: 'POST', path: url, sourceIp: '192.0.2.1' } }
  const event = { version: '2.0', rawPath: url, headers, requestContext, body, isBase64Encoded: false }
  const context = { awsRequestId: '1', functionName: 'webhooks', getRemainingTimeInMillis: () => 30_000 }
  return (await handler(event, context)).statusCode
}

it('answers a valid delivery with 204, and one that is signed with another secret with 401', async () => {
  const answers = [await deliver(SECRET), await deliver('another_signature_key')]
  // "service-signature init" runs this test, and reports the answers.
  const file = process.env['SERVICE_SIGNATURE_ANSWERS']
  if (file !== undefined) writeFileSync(file, JSON.stringify(answers))
  expect(answers).toEqual([204, 401])
})
