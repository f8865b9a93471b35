import { deepStrictEqual, rejects } from 'node:assert'
import { transactionEvent } from '@service-signature/core/testing'
import { snippet } from '../frame.js'

const payload = transactionEvent()

/** The first words of the statements that a booking makes, on a connection that answers an INSERT so. */
function statements(insert) {
  const made = []
  const db = {
    query(text, values) {
      made.push(/^(?:\w+ INTO|\w+)/.exec(text)[0])
      deepStrictEqual(values?.length, text.match(/\$\d/g)?.length)
      return text.startsWith('INSERT') ? insert() : Promise.resolve({ rowCount: 1 })
    },
  }
  const booked = snippet.book(db, { type: payload.type, payload })
  return { made, booked }
}

const first = statements(() => Promise.resolve({ rowCount: 1 }))
await first.booked
deepStrictEqual(first.made, ['BEGIN', 'INSERT INTO', 'UPDATE', 'COMMIT'])

const second = statements(() => Promise.resolve({ rowCount: 0 }))
await second.booked
deepStrictEqual(second.made, ['BEGIN', 'INSERT INTO', 'COMMIT'])

const failed = statements(() => Promise.reject(new Error('no disk')))
await rejects(failed.booked, /no disk/)
deepStrictEqual(failed.made, ['BEGIN', 'INSERT INTO', 'ROLLBACK'])
