import { beforeAll, expect, it } from 'vitest'
import { openSearch } from './support/built-site.js'

let firstHit: Awaited<ReturnType<typeof openSearch>>
beforeAll(async () => {
  firstHit = await openSearch()
})

// What a newcomer asks, and the heading that answers it.
it.each([
  ['Express', '/packages/express#express'],
  ['quick start Hono', '/packages/fetch#quick-start'],
  ['Cloudflare Workers', '/packages/fetch#cloudflare-workers'],
  ['AWS Lambda', '/packages/lambda#aws-lambda'],
  ['stripe', '/coming-from#from-stripe'],
  ['get the signing secret', '/secrets#get-the-signing-secret'],
  ['How do I rotate the secret?', '/secrets#rotate-the-secret'],
  ['The secret was exposed', '/secrets#rotate-the-secret'],
  ['several tenants', '/secrets#several-organizations'],
  ['options of the adapter', '/options#adapter-options'],
  ['event types', '/events#event-types'],
  ['What must my handler check?', '/events#what-your-handler-must-check'],
  ['cents', '/events#amounts-and-times'],
  ['handle each delivery once', '/replay#handle-each-delivery-once'],
  ['two events of a payment', '/events#a-payment-sends-two-events'],
  ['idempotency', '/replay#idempotency-keys'],
  ['retry', '/replay#what-happens-to-a-retry'],
  ['Which store do I need?', '/replay#which-store-do-you-need'],
  ['webhook never arrived', '/reconcile#what-never-arrived'],
  [
    'Why does the signature not match?',
    '/troubleshooting#the-signature-does-not-match-err_signature_mismatch',
  ],
  ['why was a delivery refused', '/explain#why-a-delivery-was-refused'],
  ['raw body', '/hosts#raw-body'],
  ['My framework parses JSON first', '/hosts#body-parsers-err_body_consumed'],
  ['CommonJS', '/hosts#commonjs'],
  ['isBase64Encoded', '/packages/lambda#raw-body-in-lambda'],
  ['ERR_BODY_CONSUMED', '/hosts#body-parsers-err_body_consumed'],
  ['error codes', '/troubleshooting#error-codes'],
  ['make a signed request', '/testing#make-a-signed-request'],
  ['test in CI', '/testing#audit-the-endpoint-in-ci'],
  ['queue', '/queues#queues'],
  ['SQS', '/queues#the-work'],
  ['test cards', '/sandbox-reference#test-cards'],
  ['forward events to localhost', '/sandbox#forward-events-to-your-endpoint'],
  ['Prometheus metrics', '/telemetry#prometheus'],
  ['report a vulnerability', '/security#reporting-a-vulnerability'],
])('the first hit of the search for "%s" is %s', (question, answer) => {
  expect(firstHit(question)).toBe(answer)
})
