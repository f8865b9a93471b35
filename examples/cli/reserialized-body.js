import express from 'express'
import { createHmac } from 'node:crypto'

const app = express()
app.use(express.json())

app.post('/webhooks', (req, res) => {
  const header = String(req.headers['service-signature'])
  const { t, v3 } = Object.fromEntries(header.split(',').map((element) => element.split('=')))
  const message = Buffer.from(JSON.stringify(req.body)).toString('base64') + t
  const digest = createHmac('sha256', process.env.WEBHOOK_SECRET).update(message).digest('hex')
  res.sendStatus(v3 === digest ? 200 : 401)
})

app.listen(process.env.PORT ?? 3000)
