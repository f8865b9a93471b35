// Linted and compiled by versions.service.test.ts, once with the types of Express 5 and once with those of Express 4; never run.
import { createDispatcher } from '@service-signature/core'
import { keepRawBody, serviceSignature } from '@service-signature/express'
import express from 'express'

const secret = 'test_signature_key'
const app = express()
const guard = serviceSignature({ secret })

app.use(express.json({ verify: keepRawBody }))
app.use('/all', guard)
app.post('/inline', serviceSignature({ secret }), (req, res) => {
  res.json({ type: req.webhook?.event.type })
})
app.post('/array', [guard, express.text()])
app.route('/route').post(guard)
express
  .Router({ mergeParams: true })
  .post('/endpoint', serviceSignature({ secret, dispatcher: createDispatcher() }))
