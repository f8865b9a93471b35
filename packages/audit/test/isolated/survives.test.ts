import { memoryReplayStore } from '@service-signature/core'
import { serviceSignature } from '@service-signature/express'
import express from 'express'
import { EventEmitter, once } from 'node:events'
import type { RequestListener } from 'node:http'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { AuditOptions } from '../../src/audit.js'
import { formatText } from '../../src/report/report-text.js'
import { auditOf, weaknessesOf } from '../support/audit.js'
import { serve } from '../support/serve.js'
import { secret } from '../support/truth.js'
import { OWNER, survivor, unprepared } from '../support/weak/survives.js'

const world = vi.hoisted(() => ({ now: 0, hangUp: (): Promise<unknown> => Promise.resolve() }))

/** No pause and no delivery takes time: the clock advances. The sender hangs up when the endpoint has read the body. */
vi.mock('node:timers/promises', () => ({
  setTimeout: async (milliseconds: number) => {
    if (milliseconds === 20) await world.hangUp()
    world.now += milliseconds
  },
}))

const SURVIVES: AuditOptions = { ...OWNER, survives: true, groups: ['survives'] }

beforeEach(() => {
  world.now = 0
  vi.spyOn(performance, 'now').mockImplementation(() => world.now)
})
afterEach(() => {
  vi.restoreAllMocks()
})

async function serveWatched(listener: RequestListener): Promise<string> {
  const bodies = new EventEmitter()
  world.hangUp = () => once(bodies, 'read')
  return serve((req, res) => {
    req.once('end', () => bodies.emit('read'))
    listener(req, res)
  })
}

describe('an audit of what an endpoint survives', () => {
  it('finds nothing wrong with an endpoint that handles each delivery of its own once', async () => {
    const bodies: string[] = []
    const listener = survivor({ onBody: (text) => bodies.push(text) })
    const report = await auditOf(await serveWatched(listener), SURVIVES)
    expect(weaknessesOf(report)).toEqual({})
    expect(report).toMatchObject({ state: 'done', total: 8, passed: 8 })
    expect(world.now).toBe(20 + 1000 + 5000 + 5000)
    const sent = (what: string) => bodies.filter((text) => text.includes(`audit-${what}-`)).length
    expect(['late', 'copies', 'lost', 'slow', 'burst'].map(sent)).toEqual([2, 11, 3, 2, 1000])
    expect(report.notes).toEqual([expect.stringContaining('Look for the orders "audit-copies-.."')])
  })

  it('finds nothing wrong with an endpoint that has an adapter with a replay store, and "expect"', async () => {
    const app = express()
    const expected = { ...OWNER, transactionMode: 'unknown' } as const
    const replay = memoryReplayStore()
    app.post(
      '/webhooks',
      serviceSignature({ secret, replay, expect: expected, onRejected: vi.fn() }),
      (_req, res) => {
        res.sendStatus(204)
      },
    )
    const report = await auditOf(await serveWatched(app as RequestListener), SURVIVES)
    expect(weaknessesOf(report)).toEqual({})
  })

  it.each(unprepared(() => world.now))('finds that an endpoint $what', async ({ listener, found }) => {
    // Of the cases with this beginning: each of the others would send its burst.
    const [only] = Object.values(found)[0]![0]!.split(',')
    const report = await auditOf(await serveWatched(listener), { ...SURVIVES, only: only! })
    expect(weaknessesOf(report)).toEqual(found)
    expect(formatText(report)).toContain('Fix: ')
  })

  it('finds that an endpoint is too slow for a burst, and sends no more after 60 s', async () => {
    let requests = 0
    const right = survivor()
    const url = await serveWatched((req, res) => {
      requests++
      world.now += 100
      right(req, res)
    })
    const report = await auditOf(url, { ...SURVIVES, only: 'burst' })
    expect(weaknessesOf(report)).toEqual({ loses: ['burst of 1,000'] })
    expect(report.cases[0]!.got).toBe('204 and not sent within 60 s')
    expect(requests).toBeGreaterThan(600)
    expect(requests).toBeLessThan(700)
  })

  it('stops when an endpoint does not answer any more, also in the middle of a burst', async () => {
    let requests = 0
    const right = survivor()
    const url = await serveWatched((req, res) => {
      if (++requests > 100) req.destroy()
      else right(req, res)
    })
    const report = await auditOf(url, { ...SURVIVES, only: 'burst' })
    expect(report).toMatchObject({ state: 'stopped', reason: 'no-answer' })
    // Those that were under way, and a valid delivery after each.
    expect(requests).toBeLessThan(300)
  })

  it('can be cancelled in the middle of a burst', async () => {
    const controller = new AbortController()
    let requests = 0
    const right = survivor()
    const url = await serveWatched((req, res) => {
      if (++requests === 100) controller.abort()
      right(req, res)
    })
    const { signal } = controller
    const report = await auditOf(url, { ...SURVIVES, only: 'burst', signal })
    expect(report).toMatchObject({ state: 'cancelled', passed: 0, failed: 0 })
    expect(requests).toBeLessThan(200)
  })

  it('does not send it unless that is asked for', async () => {
    const bodies: string[] = []
    const listener = survivor({ onBody: (text) => bodies.push(text) })
    const { cases } = await auditOf(await serveWatched(listener), {
      ...OWNER,
      groups: ['genuine', 'survives'],
    })
    expect(new Set(cases.map(({ group }) => group))).toEqual(new Set(['genuine']))
    expect(bodies.join()).not.toContain('audit-burst-')
  })
})
