import express from 'express'
import { snippet } from '../frame.js'

const app = express()
app.set('env', 'test')
app.post('/webhooks', snippet.webhooks, (req, res) => {
  console.log('verified:', req.webhook.event.type)
  res.sendStatus(204)
})
app.listen(3000)
