import { describe, expect, it } from 'vitest'
import { Child } from '../support/child.js'
import { letTimePass, useRedis } from '../support/redis.js'
import { bodyOf, SECRET, send } from '../support/sender.js'
import { isMissing } from '@service-signature/contract/services'

const LEASE = 60

describe.skipIf(isMissing('redis'))('with more than one process', () => {
  const { server, data } = useRedis()

  /** A process with an endpoint, and its port. */
  async function start(handler: 'answers' | 'waits', client = 'redis'): Promise<[Child, number]> {
    const env = { CLIENT: client, HANDLER: handler, REDIS_URL: server().url, SECRET }
    const endpoint = new Child('endpoint.js', import.meta.url, env)
    return [endpoint, (await endpoint.received('port')) as number]
  }

  it('exactly one of 100 claims at once from 5 processes is new', async () => {
    const env = { REDIS_URL: server().url, COUNT: '20' }
    const children = Array.from({ length: 5 }, () => new Child('claims.js', import.meta.url, env))
    await Promise.all(children.map((child) => child.received('ready')))
    for (let round = 0; round < 20; round++) {
      for (const child of children) child.send({ key: `round ${round}` })
      const answers = (await Promise.all(children.map((child) => child.received('claimed')))).flat()
      expect(answers.filter((status) => status === 'new')).toHaveLength(1)
      expect(answers.filter((status) => status === 'in-progress')).toHaveLength(99)
    }
  })

  it.each(['redis', 'ioredis'])(
    'a delivery whose process is killed in the handler is handled by another, after the lease: %s',
    async (client) => {
      const body = bodyOf(`killed, over ${client}`)
      const [first, firstPort] = await start('waits', client)
      const lost = send(firstPort, body)
      await first.received('began')
      await first.kill()
      expect(await lost).toBe(0)

      const [second, port] = await start('answers', client)
      expect(await send(port, body)).toBe(409)
      expect(second.all('began')).toEqual([])
      await letTimePass(data(), LEASE)
      expect(await send(port, body)).toBe(204)
      expect(await second.received('handled')).toBe(`killed, over ${client}`)
      await second.received('committed')
      expect(await send(port, body)).toBe(200)
      expect(second.all('began')).toHaveLength(1)
    },
    60_000,
  )

  it('a handler that is slower than its lease does not end the claim of the next one', async () => {
    const body = bodyOf('slow')
    const [slow, slowPort] = await start('waits')
    const [next, port] = await start('waits')
    const late = send(slowPort, body)
    await slow.received('began')
    await letTimePass(data(), LEASE)
    const retry = send(port, body)
    await next.received('began')

    slow.send({ answer: 204 })
    expect(await late).toBe(204)
    await slow.received('committed')
    expect(await send(slowPort, body)).toBe(409)
    next.send({ answer: 500 })
    expect(await retry).toBe(500)
    await next.received('released')

    // The late commit had no effect: the handler with the newest claim failed, so the delivery is handled again.
    const again = send(slowPort, body)
    await slow.received('began')
    slow.send({ answer: 204 })
    expect(await again).toBe(204)
    expect([slow.all('began'), next.all('began')]).toEqual([['slow', 'slow'], ['slow']])
  })
})
