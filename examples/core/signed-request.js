import { signedRequest, transactionEvent } from '@service-signature/core/testing'

const request = signedRequest(transactionEvent(), {
  secret: 'test_signature_key',
  url: `http://localhost:${process.env.PORT ?? 3000}/webhooks`,
})
const response = await fetch(request.url, request)
console.log(response.status)
