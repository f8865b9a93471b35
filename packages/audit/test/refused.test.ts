import { createHash } from 'node:crypto'
import type { RequestListener } from 'node:http'
import { describe, expect, it, vi } from 'vitest'
import { auditOf } from './support/audit.js'
import { endpointOf, Refusal, SOUND } from './support/recipe.js'
import { serve } from './support/serve.js'
import { apiKey, secret } from './support/truth.js'

const fingerprint = (key: string) => `sha256:${createHash('sha256').update(key).digest('hex').slice(0, 8)}`

describe('an endpoint that refuses valid deliveries', () => {
  it('with another key gets no other conclusion', async () => {
    const listener = vi.fn(endpointOf({}))
    const report = await auditOf(await serve(listener), { secret: 'another_signature_key' })
    expect(report).toMatchObject({ state: 'stopped', reason: 'refused', passed: 0, failed: 2 })
    expect(report.problem).toBe(
      'The endpoint answers 401 to valid deliveries: most likely it has another key. ' +
        `The audit signed with the secret ${fingerprint('another_signature_key')} (v3). ` +
        'Nothing else was concluded, because a wrong key looks the same to every case.',
    )
    expect(JSON.stringify(report)).not.toContain('another_signature_key')
    expect(report.cases.slice(0, 2)).toMatchObject([
      { name: 'genuine purchase', outcome: 'failed', weakness: 'loses', got: '401', expected: '2xx' },
      { name: 'genuine intent', outcome: 'failed', weakness: 'loses', got: '401', expected: '2xx' },
    ])
    expect(report.cases[0]!.fix).toContain('Compare the address, the key and the versions')
    expect(report.cases.slice(2).every(({ outcome }) => outcome === 'not-run')).toBe(true)
    expect(listener).toHaveBeenCalledTimes(2)
  })

  it('fails, even if other cases were asked for', async () => {
    const url = await serve((_req, res) => res.writeHead(401).end())
    const { cases, failed, total } = await auditOf(url, { groups: ['time'] })
    expect(cases.map(({ name, outcome }) => `${name}: ${outcome}`).slice(0, 3)).toEqual([
      'genuine purchase: failed',
      'genuine intent: failed',
      'stale by an hour: not-run',
    ])
    expect({ failed, total }).toEqual({ failed: 2, total: 7 })
  })

  it('gets the fingerprints of all keys that it should have', async () => {
    const url = await serve((_req, res) => res.writeHead(403).end())
    const { problem } = await auditOf(url, { versions: ['v3', 'v1'] })
    expect(problem).toContain(
      `the API key ${fingerprint(apiKey)} and the secret ${fingerprint(secret)} (v1, v3)`,
    )
  })

  it.each([
    [302, 'is URL the right address?'],
    [404, 'is URL the right address, and does it accept POST?'],
    [405, 'is URL the right address, and does it accept POST?'],
    [400, 'although they are signed correctly. Its log says why.'],
    [500, 'it fails. Its log says why.'],
  ])('with %i gets a hint', async (status, hint) => {
    const url = await serve((_req, res) => res.writeHead(status).end())
    const { problem } = await auditOf(url)
    expect(problem).toContain(`The endpoint answers ${status} to valid deliveries`)
    expect(problem).toContain(hint.replace('URL', url))
  })

  it.each([
    [-3600, "The endpoint's clock is 3600 s behind this one."],
    [95, "The endpoint's clock is 95 s ahead of this one."],
  ])('because its clock is off by %i s gets a report that says so', async (seconds, sentence) => {
    const url = await serve(withClockOff(seconds, 401))
    const { problem, notes } = await auditOf(url, { now: () => NOW * 1000 + 400 })
    expect(problem).toContain(sentence)
    expect(notes).toEqual([])
  })
})

const NOW = 1743090080

function withClockOff(seconds: number, status: number): RequestListener {
  return (_req, res) => {
    res.writeHead(status, { Date: new Date((NOW + seconds) * 1000).toUTCString() }).end()
  }
}

describe('an endpoint that accepts valid deliveries', () => {
  it('gets a note if its clock is off', async () => {
    const url = await serve(withClockOff(-95, 204))
    const { notes } = await auditOf(url, { only: 'genuine', now: () => NOW * 1000 })
    expect(notes).toEqual(["The endpoint's clock is 95 s behind this one."])
  })

  it.each([
    ['is near', new Date(NOW * 1000 + 30_000).toUTCString()],
    ['is not known', ''],
  ])('gets no note if its clock %s', async (_what, date) => {
    const url = await serve((_req, res) => {
      res.sendDate = false
      res.writeHead(204, date === '' ? {} : { Date: date }).end()
    })
    expect(await auditOf(url, { only: 'genuine', now: () => NOW * 1000 })).toMatchObject({ notes: [] })
  })

  it('is audited further if it accepts only intent events, and the report explains that', async () => {
    const url = await serve(
      endpointOf({
        handle(body, res) {
          if (String(body).includes('"type":"transaction.')) throw new Refusal(422, 'unknown event')
          SOUND.handle(body, res)
        },
      }),
    )
    const { state, cases, notes, conclusion } = await auditOf(url, { groups: ['genuine', 'unsigned'] })
    expect(state).toBe('done')
    expect(conclusion).toBe('It does not accept purchases.')
    const fixes = cases.filter(({ weakness }) => weakness === 'loses').map(({ fix }) => fix)
    expect(new Set(fixes)).toEqual(new Set([expect.stringContaining('Find in its log')]))
    expect(fixes.length).toBeGreaterThan(15)
    expect(cases[0]).toMatchObject({ name: 'genuine purchase', outcome: 'failed', got: '422' })
    expect(cases[1]).toMatchObject({ name: 'genuine intent', outcome: 'passed' })
    expect(
      cases.filter(({ group }) => group === 'unsigned').every(({ outcome }) => outcome === 'passed'),
    ).toBe(true)
    expect(notes).toEqual([expect.stringContaining('does not accept transaction events')])
  })

  it('may answer 501 or 405 to a method that it does not have', async () => {
    for (const status of [501, 405]) {
      const url = await serve(
        endpointOf({
          admits({ method }) {
            if (method !== 'POST') throw new Refusal(status, 'wrong method')
            return true
          },
        }),
      )
      const { cases } = await auditOf(url, { only: 'by PUT' })
      expect(cases).toMatchObject([{ outcome: 'passed', got: String(status), expected: '4xx or 501' }])
    }
  })
})
