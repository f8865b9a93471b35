import type { RequestListener } from 'node:http'
import { describe, expect, it } from 'vitest'
import type { AuditOptions } from '../../src/commands/audit.js'
import { auditAsJson, weaknessesOf, type JsonReport } from './support/audit.js'
import { endpointOf, v1Of, v2Of } from './support/recipe.js'
import { serve } from './support/serve.js'
import { answers } from './support/weak/answers.js'
import { body } from './support/weak/body.js'
import { digest } from './support/weak/digest.js'
import { onExpress } from './support/weak/express.js'
import { header } from './support/weak/header.js'
import { keys } from './support/weak/keys.js'
import { time } from './support/weak/time.js'

// Each test is some hundred connections.
const LONG = { timeout: 60_000 }

describe('an audit', LONG, () => {
  it('finds nothing wrong with an endpoint that does as the specification says', async () => {
    expect(weaknessesOf(await auditOf(endpointOf({})))).toEqual({})
  })

  it.each([...body, ...header, ...time, ...digest, ...keys, ...answers, ...onExpress])(
    'finds all that is wrong with an endpoint that $what, and no more',
    async ({ listener, found }) => {
      expect(weaknessesOf(await auditOf(listener))).toEqual(found)
    },
  )
})

describe('an endpoint that verifies another version', LONG, () => {
  it.each([
    ['v1', v1Of],
    ['v2', v2Of],
  ] as const)('with %s is found when it also tries the empty key', async (version, digestOf) => {
    const listener = endpointOf({
      vouches(elements, body) {
        const { t = '', [version]: given } = elements
        return given === digestOf(body, t) || given === digestOf(body, t, '')
      },
    })
    const report = await auditOf(listener, { versions: version, only: 'key' })
    expect(weaknessesOf(report)).toMatchObject({ accepts: ['key that is empty', 'key that was decoded'] })
  })
})

describe('an endpoint that does the same with all deliveries', LONG, () => {
  it('is found in every case that is to be refused, when it acknowledges them', async () => {
    const report = await auditOf((req, res) => {
      req.resume().on('end', () => res.end('received'))
    })
    expect(report.cases.filter(({ weakness }) => weakness === 'accepts')).toEqual(
      report.cases.filter(({ name, expected }) => expected.startsWith('4xx') && !NEVER_WHOLE.includes(name)),
    )
    expect(weaknessesOf(report)).not.toHaveProperty('loses')
  })

  it('is found in every genuine case, when it refuses them', async () => {
    const report = await auditOf((_req, res) => res.writeHead(401).end('refused'))
    expect(report.cases.filter(({ passed }) => !passed)).toEqual(
      report.cases.filter(({ group }) => group === 'genuine'),
    )
  })

  it.each<readonly [string, RequestListener, string]>([
    ['redirects them', (_req, res) => res.writeHead(307, { Location: '/moved' }).end(), '307 (redirect)'],
    ['fails', (_req, res) => res.writeHead(500).end(), '500'],
  ])('is found in every case, when it %s', async (_what, listener, got) => {
    const { cases } = await auditOf(listener)
    const unmet = cases.filter(({ passed }) => !passed)
    expect(unmet.map(({ group }) => group)).toEqual(
      cases.map(({ group }) => group).filter((group) => group !== 'answers'),
    )
    expect(new Set(unmet.map((row) => row.got))).toEqual(new Set([got]))
    // To be accepted would cost more.
    const risks = new Map(cases.map(({ name, risk }) => [name, risk]))
    expect(risks.get('no signature')).toMatch(/^It is not accepted; but/)
    expect(risks.get('forged and packed')).toBe('A few bytes of anybody fill the memory.')
    expect(risks.get('nested 20,000 deep')).toBe('One delivery brings the endpoint down.')
  })

  it('is found where it may not hang up, when it hangs up', async () => {
    const { cases } = await auditOf((req) => req.destroy())
    expect(cases.filter(({ passed }) => passed).map(({ name }) => name)).toEqual([
      'cut short',
      'forged 3 MB',
      'forged 64 MB',
      'forged and packed',
      'answers that are alike',
      'answers without keys',
      'answers without stack',
    ])
  })
})

// A server of Node does not tell its program of the end of these.
const NEVER_WHOLE: readonly string[] = ['cut short', 'forged 64 MB']

async function auditOf(listener: RequestListener, options: AuditOptions = {}): Promise<JsonReport> {
  return auditAsJson(await serve(listener), { timeout: '2', ...options })
}
