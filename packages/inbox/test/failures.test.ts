import { WebhookError } from '@service-signature/core'
import { expect, it } from 'vitest'
import {
  FailureError,
  failureOf,
  otherShape,
  storeFailureOf,
  unconfirmed,
  type Failures,
} from '../src/index.js'

const FAILURES: Failures = {
  '42501': { what: 'it is forbidden', fix: 'Allow it.' },
  'disk is full': { what: 'there is no space', fix: 'Make some.' },
}
const INBOX = 'The database of the inbox failed: '

it.each<[name: string, error: unknown, text: string | undefined, message: string]>([
  ['a code', new Error('no'), '42501', 'it is forbidden. Allow it.'],
  ['a part of the message', new Error('the Disk is full!'), undefined, 'there is no space. Make some.'],
  ['neither', new Error('no'), undefined, 'the reason is in "cause". A retry can be handled.'],
  ['no message at all', 'out of order', undefined, 'the reason is in "cause". A retry can be handled.'],
  ['its own failure', new FailureError({ what: 'it is late', fix: 'Wait.' }), '42501', 'it is late. Wait.'],
])('finds what failed by %s', (_name, error, text, message) => {
  const refusal = failureOf(error, FAILURES, text)
  expect(refusal).toMatchObject({ code: 'ERR_REPLAY_STORE_UNAVAILABLE', status: 503, cause: error })
  expect(refusal.message).toBe(INBOX + message)
})

it('names the option that applies to a replay store, but not to an inbox', () => {
  expect(storeFailureOf(new Error('the disk is full'), FAILURES).message).toBe(
    'The replay store failed: there is no space. Make some. "onStoreError" decides whether deliveries are accepted meanwhile.',
  )
})

it('names the error of a replay store of which nothing is known, because its refusal is the cause of another one', () => {
  const refused = new Error('connect ECONNREFUSED 127.0.0.1:6379')
  expect(storeFailureOf(refused, FAILURES).message).toContain(
    'The replay store failed: connect ECONNREFUSED 127.0.0.1:6379. A retry can be handled.',
  )
})

it('passes on what is a refusal already', () => {
  const refusal = new WebhookError('ERR_DELIVERY_IN_PROGRESS')
  expect(failureOf(refusal, FAILURES)).toBe(refusal)
})

it('says that the end of a transaction is not known', () => {
  expect(unconfirmed(new Error('lost')).message).toBe(
    `${INBOX}the end of the transaction was not confirmed. A retry finds out how it ended.`,
  )
})

it('says how to go on if the table is another one', () => {
  const cause = new Error('no such column: key')
  expect(otherShape('billing.inbox', 'no column "key"', { cause })).toMatchObject({
    message:
      'The table "billing.inbox" is not that of an inbox: no column "key". ' +
      'Set "table" to another name, or rename this table: inbox.migrate() then creates its own.',
    cause,
  })
})
