import { signedRequest, transactionEvent } from '@service-signature/core/testing'
import { expect, it } from 'vitest'
import { POST } from './next.js'

const SECRET = 'test_signature_key'
process.env['WEBHOOK_SECRET'] = SECRET

/** Sends an event, and resolves to the status of the answer. */
async function deliver(secret: string) {
  const url = 'http://localhost/webhooks'
  return (await POST(new Request(url, signedRequest(transactionEvent(), { secret, url })))).status
}

it('answers a valid delivery with 204', async () => {
  expect(await deliver(SECRET)).toBe(204)
})

it('refuses a delivery that is signed with another secret', async () => {
  expect(await deliver('another_signature_key')).toBe(401)
})
