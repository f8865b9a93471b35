import express from 'express'
import { serviceSignature } from '@service-signature/express'

const app = express()

app.post('/webhooks', serviceSignature({ secret: process.env.WEBHOOK_SECRET }), (req, res) => {
  const { event } = req.webhook
  switch (event.type) {
    case 'intent.processed': {
      const { id, status } = event.payload.data.intent
      if (status === 'PROCESSED') console.log('paid:', id)
      break
    }
    case 'unrecognized':
      console.warn('not recognized:', event.receivedType, event.reason)
      // A known type with fields of other types may be a payment: let it be sent again.
      if (event.reason === 'invalid-payload') return res.sendStatus(500)
  }
  res.sendStatus(204)
})

app.listen(process.env.PORT ?? 3000)
