import { expect, it } from 'vitest'
import { bundle } from '../../../test/drills/bundle.js'
import { runFailover } from '../../../test/drills/redis.js'
import { isMissing } from '@service-signature/contract/services'

// The short form of npm run drill -- redis.
it.skipIf(isMissing('redis'))(
  'loses nothing when a master dies under load, and each delivery that is handled again has a reason',
  async () => {
    const options = { deliveries: 400, rate: 200, leaseSeconds: 1, lagMilliseconds: 200 }
    const { sent, result, again } = await runFailover(bundle, options)
    console.log('Handled again:', again)
    expect(sent.acknowledged).toHaveLength(400)
    expect(sent.givenUp).toEqual([])
    expect(result['not booked']).toBe(0)
    expect(again.unexplained).toBe(0)
    // Without these, the drill would prove nothing.
    expect(sent.answers.get(503)).toBeGreaterThan(0)
    expect(sent.answers.get(409)).toBeGreaterThan(0)
  },
)
