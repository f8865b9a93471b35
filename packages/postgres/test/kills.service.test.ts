import { expect, it } from 'vitest'
import { bundle } from '../../../test/drills/bundle.js'
import { database } from '../../../test/drills/databases/postgres.js'
import { runInbox } from '../../../test/drills/kills.js'
import { isMissing } from '@service-signature/contract/services'

it.skipIf(isMissing('postgres'))(
  'books each delivery exactly once while processes and the server are killed',
  async () => {
    const options = {
      deliveries: 300,
      rate: 100,
      processes: 3,
      kills: 12,
      serverKills: 1,
      downMilliseconds: 200,
    }
    const result = await runInbox(bundle, options, database)
    expect(result).toMatchObject({
      'given up by the sender': 0,
      'not booked': 0,
      'booked more than once': 0,
      'processes that ended by themselves': 0,
    })
    expect(result['processes killed']).toBeGreaterThan(0)
    expect(result['bookings begun in a process that was killed, and rolled back']).toBeGreaterThan(0)
  },
)
