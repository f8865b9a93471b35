import { NestFactory } from '@nestjs/core'
import { intentEvent, signedRequest } from '@service-signature/core/testing'
import { unparsed } from '@service-signature/nest'
import { writeFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { WebhooksModule } from './nest.js'

const SECRET = 'test_signature_key'
process.env['WEBHOOK_SECRET'] = SECRET

/** Sends an event, and resolves to the status of the answer. */
async function deliver(secret: string) {
  const app = await NestFactory.create(WebhooksModule)
  app.use('/webhooks', unparsed)
  await app.listen(0)
  const url = `${await app.getUrl()}/webhooks`
  try {
    return (await fetch(url, signedRequest(intentEvent(), { secret, url }))).status
  } finally {
    await app.close()
  }
}

it('answers a valid delivery with 204, and one that is signed with another secret with 401', async () => {
  const answers = [await deliver(SECRET), await deliver('another_signature_key')]
  // "service-signature init" runs this test, and reports the answers.
  const file = process.env['SERVICE_SIGNATURE_ANSWERS']
  if (file !== undefined) writeFileSync(file, JSON.stringify(answers))
  expect(answers).toEqual([204, 401])
})
