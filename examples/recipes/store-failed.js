import { serviceSignature } from '@service-signature/express'
import express from 'express'
import { randomUUID } from 'node:crypto'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

// #region store
const folder = process.env.FAILED_DELIVERIES ?? 'failed-deliveries'
mkdirSync(folder, { recursive: true })

// Anyone can send a delivery that does not match, so their number is limited.
const MAX_FILES = 200

function store(error, header, body) {
  console.warn(error.message)
  if (error.code !== 'ERR_SIGNATURE_MISMATCH' || readdirSync(folder).length >= MAX_FILES) return
  const delivery = {
    format: 'service-signature-delivery',
    version: 1,
    recorded_at: new Date().toISOString(),
    // In a file, because text from a stranger on a command line could be a command.
    headers: { 'Service-Signature': String(header) },
    body_base64: Buffer.from(body).toString('base64'),
  }
  const file = join(folder, `${randomUUID()}.json`)
  writeFileSync(file, JSON.stringify(delivery), { mode: 0o600 })
  const now = Math.floor(Date.now() / 1000)
  console.warn(`Why: npx service-signature explain --request ${file} --now ${now}`)
}
// #endregion

const app = express()
app.post(
  '/webhooks',
  serviceSignature({
    secret: process.env.WEBHOOK_SECRET,
    onRejected: (error, { header, body }) => store(error, header, body),
  }),
  (req, res) => {
    console.log('verified:', req.webhook.event.type)
    res.sendStatus(204)
  },
)
app.listen(process.env.PORT ?? 3000)
