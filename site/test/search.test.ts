import { beforeAll, expect, it } from 'vitest'
import { openSearch } from './support/built-site.js'

let firstHit: Awaited<ReturnType<typeof openSearch>>
beforeAll(async () => {
  firstHit = await openSearch()
})

it.each([
  ['quick start Express', '/start#quick-start'],
  ['quick start Hono', '/packages/fetch#quick-start'],
  ['Cloudflare Workers', '/packages/cloudflare#service-signaturecloudflare'],
  ['AWS Lambda', '/packages/lambda#service-signaturelambda'],
  ['Where do I get the signing secret?', '/secrets#get-the-signing-secret'],
  ['How do I rotate the secret?', '/secrets#rotate-the-secret'],
  ['several tenants', '/secrets#several-organizations'],
  ['options of the adapter', '/options#adapter-options'],
  ['event types', '/events#event-types'],
  ['What must my handler check?', '/events#what-your-handler-must-check'],
  ['How is each delivery handled once?', '/start#handle-each-delivery-once'],
  ['Which store do I need?', '/stores#which-store'],
  ['webhook never arrived', '/reconcile#what-never-arrived'],
  [
    'Why does the signature not match?',
    '/troubleshooting#the-signature-does-not-match-err_signature_mismatch',
  ],
  ['ERR_BODY_CONSUMED', '/hosts#body-parsers-err_body_consumed'],
  ['How do I test a handler?', '/testing#test-a-handler'],
  ['test cards', '/sandbox-reference#test-cards'],
  ['forward events to localhost', '/packages/sandbox#forward-events-to-your-endpoint'],
  ['Prometheus metrics', '/recipes#metrics-with-prometheus'],
  ['production checklist', '/troubleshooting#production-checklist'],
])('the first hit of the search for "%s" is %s', (question, answer) => {
  expect(firstHit(question)).toBe(answer)
})
