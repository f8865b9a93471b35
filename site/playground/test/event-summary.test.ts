import { intentEvent, transactionEvent } from '@service-signature/core/testing'
import { expect, it } from 'vitest'
import { eventSummary } from '../src/event-summary.js'

const summaryOf = (payload: unknown) => eventSummary(Buffer.from(JSON.stringify(payload)))

it('names the facts of a transaction', () => {
  const payload = transactionEvent({ intent: { id: 'int_1', amount: { value: 7.5, currency: 'EUR' } } })
  const { isRecognized, sentence, facts, issues } = summaryOf({ ...payload, api_version: '1.1' })
  expect({ isRecognized, sentence, issues }).toEqual({
    isRecognized: true,
    sentence: 'The event transaction.purchase.successful is recognized.',
    issues: [],
  })
  expect(facts).toEqual([
    ['Shape', 'transaction'],
    ['API version', '1.1'],
    ['Transaction', `${payload.transaction.id}, ${payload.transaction.status}`],
    ['Intent', 'int_1'],
    ['Amount', '7.5 EUR'],
    ['Account', payload.account.id],
  ])
})

it('names the facts of an intent, also without a version of the API', () => {
  const payload = intentEvent({
    data: { intent: { id: 'int_2', status: 'PROCESSED', amount: 50, amount_currency: 'USD' } },
  })
  expect(summaryOf({ ...payload, api_version: null }).facts).toEqual([
    ['Shape', 'intent'],
    ['API version', 'not in the payload'],
    ['Intent', 'int_2, PROCESSED'],
    ['Amount', '50 USD'],
    ['Account', payload.data.intent.account],
  ])
})

it.each([
  [{ type: 'refund.made' }, 'The type "refund.made" is of no known family of events.'],
  [{ type: 'intent.processed' }, 'The type is "intent.processed", but the payload does not have its shape.'],
  [{ kind: 'intent' }, 'The body is JSON, but not an event.'],
  [[], 'The body is JSON, but not an event.'],
])('says why it is not recognized: %j', (payload, sentence) => {
  expect(summaryOf(payload)).toMatchObject({ isRecognized: false, sentence, facts: [] })
  expect(summaryOf(payload).issues.length).toBeGreaterThan(0)
})

it('says why the body is not JSON', () => {
  expect(eventSummary(Buffer.from('{'))).toEqual({
    isRecognized: false,
    sentence: 'The body is not the JSON text of an event: JSON.parse refuses it.',
    facts: [],
    issues: [],
  })
})
