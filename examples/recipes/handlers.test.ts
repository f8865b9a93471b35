import { transactionEvent, verifiedWebhook } from '@service-signature/core/testing'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fulfil } from './handlers.js'

const webhook = verifiedWebhook(transactionEvent({ intent: { id: 'int_1', amount: { value: 7.1 } } }))

test('marks the order of a purchase as paid', async () => {
  const paid: unknown[] = []
  const markPaid = async (...order: unknown[]) => void paid.push(order)
  await fulfil({ markPaid })(webhook)
  assert.deepEqual(paid, [['int_1', { value: 7.1, currency: 'EUR' }]])
})

test('fails if the order cannot be marked, so that the delivery is retried', async () => {
  const error = new Error('the database is down')
  const markPaid = () => Promise.reject(error)
  await assert.rejects(async () => fulfil({ markPaid })(webhook), error)
})
