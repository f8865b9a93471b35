import { EventEmitter, once } from 'node:events'
import { describe, expect, it } from 'vitest'
import { Child } from '../support/child.js'
import { letTimePass, useRedis } from '../support/redis.js'
import { bodyOf, SECRET, send } from '../support/sender.js'
import { isMissing } from '@service-signature/contract/services'

const COUNT = 10_000
const AT_ONCE = 32
const LEASE = 60

describe.skipIf(isMissing('redis')).each([
  ['redis', 'keeps its data', { isDurable: true }],
  ['ioredis', 'forgets everything', { isDurable: false }],
])('with %s, and a Redis that %s', (client, _what, { isDurable }) => {
  const { server, data } = useRedis({ isDurable })

  it(`every acknowledged delivery of ${COUNT} was handled in spite of two outages of Redis`, async () => {
    const endpoint = new Child('endpoint.js', import.meta.url, {
      ...{ CLIENT: client, HANDLER: 'answers', REDIS_URL: server().url, SECRET },
    })
    const port = (await endpoint.received('port')) as number
    const acknowledged = new Set<string>()
    const statuses = new Map<number, number>()
    const news = new EventEmitter()
    const answers = (status: number) => statuses.get(status) ?? 0

    /** Sends the deliveries, and retries refused ones at once. Returns those that another request has claimed. */
    async function deliver(ids: readonly string[]): Promise<string[]> {
      const waiting = [...ids]
      const inProgress: string[] = []
      const work = async () => {
        for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) {
          const status = await send(port, bodyOf(id))
          statuses.set(status, answers(status) + 1)
          if (status >= 200 && status < 300) acknowledged.add(id)
          else if (status === 409) inProgress.push(id)
          else waiting.push(id)
          news.emit('answer')
        }
      }
      await Promise.all(Array.from({ length: AT_ONCE }, work))
      return inProgress
    }

    async function until(isSo: () => boolean): Promise<void> {
      while (!isSo()) await once(news, 'answer')
    }

    async function fail(): Promise<void> {
      for (const count of [COUNT / 4, COUNT / 2]) {
        await until(() => acknowledged.size >= count)
        await server().kill()
        const refused = answers(503)
        await until(() => answers(503) >= refused + AT_ONCE)
        await server().restart()
      }
    }

    // Every tenth is sent twice, as by a sender that loses answers.
    const ids = Array.from({ length: COUNT }, (_, i) => `delivery ${i}`)
    const [later] = await Promise.all([
      deliver(ids.flatMap((id, i) => (i % 10 === 0 ? [id, id] : id))),
      fail(),
    ])
    // A claim that was made shortly before an outage, and that no request knows, ends with its lease. Each delivery
    // is sent once: two copies at the same time would refuse each other again.
    await letTimePass(data(), LEASE)
    expect(await deliver([...new Set(later)])).toEqual([])

    endpoint.send({ ping: true })
    await endpoint.received('pong')
    const handled = new Map<unknown, number>()
    for (const id of endpoint.all('handled')) handled.set(id, (handled.get(id) ?? 0) + 1)
    const twice = [...handled.values()].filter((count) => count > 1).length
    console.log(
      `${client}: ${twice} of ${COUNT} handled more than once; answers:`,
      Object.fromEntries(statuses),
    )
    expect([...acknowledged].filter((id) => !handled.has(id))).toEqual([])
    expect(ids.filter((id) => !acknowledged.has(id))).toEqual([])
    expect(answers(503)).toBeGreaterThan(0)
    // A delivery is handled twice only if a step was lost in one of the outages.
    if (isDurable) expect(twice).toBeLessThanOrEqual(2 * AT_ONCE)
  })
})
