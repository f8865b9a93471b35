import { Queue, type JobType } from 'bullmq'
import { Redis } from 'ioredis'
import { describe, expect, it } from 'vitest'
import { startRedis } from '@service-signature/contract/redis-server'
import { isMissing } from '@service-signature/contract/services'
import { deliveries, keyOf, queueCases, type Engine } from './queue-cases.js'

async function startEngine(): Promise<Engine> {
  const server = await startRedis({ isDurable: true })
  const queue = new Queue<unknown>('payment-events', { connection: { url: server.url } })
  queue.on('error', () => undefined)
  const data = new Redis(server.port)
  data.on('error', () => undefined)
  const keysOf = async (...states: JobType[]) => {
    const jobs = await queue.getJobs(states)
    return jobs.map(({ id }) => id!)
  }
  return {
    env: { REDIS_URL: server.url, STALLED_INTERVAL_MS: '100' },
    server,
    openJobs: () => keysOf('waiting', 'active', 'delayed'),
    async makeDue({ isLastAttempt }) {
      const jobs = await queue.getDelayed()
      for (const job of jobs) {
        if (isLastAttempt) await data.hset(queue.toKey(job.id!), 'atm', String(job.opts.attempts! - 1))
        await job.promote()
      }
      return jobs.length
    },
    deadLetters: () => keysOf('failed'),
    retryDeadLetters: () => queue.retryJobs({ state: 'failed' }),
    async releaseJobs() {
      for (const id of await keysOf('active')) await data.del(`${queue.toKey(id)}:lock`)
    },
    async close() {
      await queue.close()
      data.disconnect()
    },
  }
}

describe.skipIf(isMissing('redis'))('the example with BullMQ', () => {
  const cases = queueCases('bullmq', startEngine, 500)

  it('makes an event without a handler a dead letter at once', async () => {
    const { unknown } = deliveries('never_handled')
    expect(await cases.endpoint().send(unknown)).toBe(204)
    await expect.poll(() => cases.engine().deadLetters()).toContain(keyOf(unknown))
  })

  it('keeps the jobs when the endpoint is killed', async () => {
    const { intent } = deliveries('endpoint_killed')
    const other = await cases.startEndpoint()
    expect(await other.send(intent)).toBe(204)
    await other.kill()
    const booking = await cases.nextBooking('endpoint_killed')
    expect(await cases.endpoint().send(intent)).toBe(204)
    expect(await cases.engine().openJobs()).toEqual([keyOf(intent)])
    booking.answer(204)
  })
})
