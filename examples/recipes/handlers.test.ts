import { intentEvent, verifiedWebhook } from '@service-signature/core/testing'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fulfil } from './handlers.js'

const webhook = verifiedWebhook(intentEvent({ data: { intent: { id: 'int_1', amount: 7.1 } } }))

test('marks the order of a paid intent as paid', async () => {
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
