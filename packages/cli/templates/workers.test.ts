import { signedRequest, transactionEvent } from '@service-signature/core/testing'
import { expect, it } from 'vitest'
import { webhooks } from './workers.js'

const SECRET = 'test_signature_key'

/** Sends an event, and resolves to the status of the answer. */
async function deliver(secret: string) {
  const url = 'https://example.com/webhooks'
  const request = new Request(url, signedRequest(transactionEvent(), { secret, url }))
  return (await webhooks(request, { WEBHOOK_SECRET: SECRET })).status
}

it('answers a valid delivery with 204', async () => {
  expect(await deliver(SECRET)).toBe(204)
})

it('refuses a delivery that is signed with another secret', async () => {
  expect(await deliver('another_signature_key')).toBe(401)
})
