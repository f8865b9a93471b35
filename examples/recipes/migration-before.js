import express from 'express'
import { createHmac, timingSafeEqual } from 'node:crypto'

const app = express()

app.post('/webhooks', express.raw({ type: 'application/json' }), (req, res) => {
  const body = /** @type {Buffer} */ (req.body)
  const header = req.get('Service-Signature') ?? ''
  const { t, v3 = '' } = Object.fromEntries(header.split(',').map((element) => element.split('=')))

  const expected = createHmac('sha256', process.env.WEBHOOK_SECRET)
    .update(body.toString('base64') + t)
    .digest()
  const signature = Buffer.from(v3, 'hex')
  const isValid = signature.length === expected.length && timingSafeEqual(signature, expected)
  const isFresh = Math.abs(Date.now() / 1000 - Number(t)) <= 300
  if (!isValid || !isFresh) return res.sendStatus(401)

  const { type, data } = JSON.parse(body.toString())
  if (type === 'intent.processed' && data.intent.status === 'PROCESSED') console.log('paid:', data.intent.id)
  res.sendStatus(204)
})

app.listen(process.env.PORT ?? 3000)
