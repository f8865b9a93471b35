import { describe, expect, it, vi } from 'vitest'
import { GROUPS } from '../src/cases/groups.js'
import { audit, type AuditOptions } from '../src/audit.js'
import { CASES, listCases } from '../src/cases/cases.js'
import { auditOf } from './support/audit.js'
import { endpointOf, v1Of } from './support/recipe.js'
import { serve } from './support/serve.js'
import { apiKey, secret } from './support/truth.js'

describe('an audit', () => {
  it('reports each case when it is done, and all of them in their order at the end', async () => {
    const onCase = vi.fn()
    const now = () => Date.parse('2025-03-27T15:41:20.371Z')
    const url = await serve(endpointOf({ isFresh: () => true }))
    const report = await audit(new URL(url), { secret, apiKey, groups: ['genuine', 'unsigned'], onCase, now })
    expect(report).toMatchObject({
      url,
      versions: ['v3'],
      started: '2025-03-27T15:41:20.371Z',
      ended: '2025-03-27T15:41:20.371Z',
      state: 'done',
      reason: null,
      problem: null,
      total: 27,
      passed: 27,
      failed: 0,
      notes: expect.any(Array) as unknown,
    })
    expect(onCase.mock.calls).toEqual(report.cases.map((result) => [result]))
  })

  it('reports the damage of a failed case, and how to fix it', async () => {
    const { cases } = await auditOf(await serve(endpointOf({ isFresh: () => true })), { only: 'by an hour' })
    expect(cases).toEqual([
      {
        group: 'time',
        name: 'stale by an hour',
        title: 'signed an hour ago',
        outcome: 'failed',
        weakness: 'accepts',
        expected: '4xx',
        got: '204',
        cost: 'Anyone who has seen a delivery once, in a log or a proxy, can repeat it forever.',
        fix: 'Refuse a delivery whose "t" is more than 300 seconds old.',
      },
    ])
  })

  it('sends several cases at once with the option "concurrency"', async () => {
    const right = endpointOf({})
    const held: (() => void)[] = []
    let requests = 0
    const url = await serve((req, res) => {
      const answer = () => {
        right(req, res)
      }
      // After the delivery that opens the audit, the endpoint answers only when four have arrived.
      if (++requests === 1 || requests > 5) {
        answer()
        return
      }
      held.push(answer)
      if (held.length === 4) for (const release of held) release()
    })
    const report = await auditOf(url, { groups: ['unsigned', 'keys', 'tampered'], concurrency: 4 })
    expect(report).toMatchObject({ state: 'done', passed: 19, failed: 0 })
    expect(held).toHaveLength(4)
    expect(report.cases.map(({ name }) => name)).toEqual(
      listCases({ groups: ['unsigned', 'keys', 'tampered'] }).map(({ name }) => name),
    )
  })

  it.each([
    ['before its first delivery', 0, 0],
    ['during the first delivery', 1, 0],
    ['between two deliveries', 3, 2],
  ])('can be cancelled %s', async (_when, nth, passed) => {
    const controller = new AbortController()
    if (nth === 0) controller.abort()
    let requests = 0
    const url = await serve((_req, res) => {
      if (++requests === nth) controller.abort()
      else res.writeHead(204).end()
    })
    const report = await auditOf(url, { signal: controller.signal })
    expect(report).toMatchObject({ state: 'cancelled', reason: null, problem: null, passed, failed: 0 })
    expect(report.cases.filter(({ outcome }) => outcome === 'not-run')).toHaveLength(report.total - passed)
    expect(requests).toBe(nth)
  })

  it('can be cancelled in a pause', async () => {
    const controller = new AbortController()
    const url = await serve(endpointOf({}))
    const onCase = () => {
      // The pause begins before that.
      setImmediate(() => {
        controller.abort()
      })
    }
    const report = await auditOf(url, { signal: controller.signal, paceMs: 60_000, onCase })
    expect(report).toMatchObject({ state: 'cancelled', passed: 1 })
  })

  it('is done if it is cancelled after its last case', async () => {
    const controller = new AbortController()
    const onCase = () => {
      controller.abort()
    }
    const url = await serve(endpointOf({}))
    const options = { signal: controller.signal, only: 'genuine purchase', onCase }
    expect(await auditOf(url, options)).toMatchObject({ state: 'done', passed: 1 })
  })
})

describe('the options of an audit', () => {
  it.each<readonly [AuditOptions & Record<string, unknown>, string]>([
    [{ secrets: 'x' }, 'audit has no option "secrets". Did you mean "secret"?'],
    [
      { versions: ['v4' as 'v3'] },
      '"versions" contains an unknown name "v4"; expected one or more of v1, v2, v3',
    ],
    [{ versions: [] }, '"versions" must list one or more of v1, v2, v3'],
    [{ versions: 'v3' as unknown as ['v3'] }, '"versions" must list one or more of'],
    [
      { groups: ['times' as 'time'] },
      '"groups" contains an unknown name "times"; expected one or more of genuine,',
    ],
    [{ groups: [] }, '"groups" must list one or more of genuine, unsigned,'],
    [{ only: 'no such case' }, 'No case of the groups has "no such case" in its name'],
    [{ only: 'stale', groups: ['keys'] }, 'No case of the groups has "stale" in its name'],
    [{ only: 'digest of v2 as v3', versions: ['v2'] }, 'No case of the groups has'],
    [{ timeoutSeconds: 0 }, '"timeoutSeconds" must be greater than 0, at most 3600, got 0'],
    [{ timeoutSeconds: Infinity }, '"timeoutSeconds" must be'],
    [{ paceMs: -1 }, '"paceMs" must be 0 or greater, at most 60000, got -1'],
    [{ concurrency: 1.5 }, '"concurrency" must be a whole number greater than 0, at most 32, got 1.5'],
    [{ secret: undefined as unknown as string }, '"secret" is missing: v2 and v3 are signed with it'],
    [
      { versions: ['v1'], apiKey: undefined as unknown as string },
      '"apiKey" is missing: v1 is signed with it',
    ],
    [{ secret: '' }, '"secret"'],
    [
      { secret: Promise.resolve('key') as unknown as string, apiKey: undefined as unknown as string },
      '"secret" must be a string, got a promise: await it',
    ],
  ])('%j are rejected, and nothing is sent', async (options, message) => {
    const listener = vi.fn()
    const failed = auditOf(await serve(listener), options)
    await expect(failed).rejects.toThrow(message)
    expect(listener).not.toHaveBeenCalled()
  })

  it('without the API key lead to a note', async () => {
    const url = await serve(endpointOf({}))
    const { notes, failed } = await audit(url, { secret, groups: ['time', 'downgrade'] })
    expect(failed).toBe(0)
    expect(notes).toEqual([expect.stringMatching(/^No API key was given/)])
    // Only the cases about other versions depend on it.
    expect(await audit(url, { secret, groups: ['time'] })).toMatchObject({ notes: [] })
  })

  it('may be the API key alone for an endpoint that verifies v1', async () => {
    const url = await serve(endpointOf({ vouches: ({ t, v1 }, body) => v1 === v1Of(body, t!) }))
    const { notes, cases } = await audit(url, { apiKey, only: 'a', versions: ['v1'] })
    const failed = cases.filter(({ outcome }) => outcome === 'failed')
    expect(failed.map(({ name }) => name)).toEqual(['tampered encoding'])
    expect(notes).toEqual([])
  })

  it('select cases by their group, and by a part of their name in upper or lower case', async () => {
    const url = await serve(endpointOf({}))
    const names = async (options: AuditOptions) => (await auditOf(url, options)).cases.map(({ name }) => name)
    expect(await names({ only: 'STALE' })).toEqual(['stale by an hour', 'stale, with a new time'])
    expect(await names({ groups: ['time'], only: 'ahead' })).toEqual([
      'four minutes ahead',
      'ten years ahead',
    ])
    expect(await names({ groups: ['genuine'] })).toHaveLength(21)
  })

  it('send a case only once, if it is also the one that opens the audit', async () => {
    const listener = vi.fn(endpointOf({}))
    const { cases } = await auditOf(await serve(listener), { only: 'genuine purchase' })
    expect(cases).toHaveLength(1)
    expect(listener).toHaveBeenCalledOnce()
  })
})

describe('the cases', () => {
  it('are 69, one of which is for other versions, and 8 of what it survives, with names of their own, and fit the report', () => {
    expect(CASES).toHaveLength(77)
    const names = CASES.map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
    for (const { name, title, cost, fix } of CASES) {
      expect(name.length, name).toBeLessThanOrEqual(24)
      expect(title.length, title).toBeLessThanOrEqual(37)
      expect(cost, name).toMatch(/^[A-Z].*\.$/)
      expect(fix, name).toMatch(/^[A-Z].*\.$/)
    }
  })

  it('are listed before they are run', () => {
    expect(listCases()).toHaveLength(68)
    const owner = { account: 'acc_1', live: true, versions: ['v1', 'v3'] } as const
    expect(listCases(owner)).toHaveLength(68)
    const listed = listCases({ ...owner, survives: true })
    expect(listed).toHaveLength(76)
    expect(new Set(listed.map(({ outcome }) => outcome))).toEqual(new Set(['not-run']))
    expect([...new Set(listed.map(({ group }) => group))]).toEqual([...GROUPS])
    expect(listCases({ versions: ['v2'], groups: ['downgrade'] }).map(({ name }) => name)).toEqual([
      'downgrade to v1',
      'downgrade, wrong digest',
    ])
  })
})
