import { printBody, sign, transactionEvent } from '@service-signature/core/testing'

const payload = transactionEvent({ intent: { amount: { value: 7.1 } } })
const body = printBody(payload)
const header = sign(body, { secret: 'test_signature_key' })

const response = await fetch(`http://localhost:${process.env.PORT ?? 3000}/webhooks`, {
  method: 'POST',
  headers: { 'Content-Type': 'application/json', 'Service-Signature': header },
  body,
})
console.log(response.status)
