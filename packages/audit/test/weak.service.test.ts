import type { RequestListener, ServerResponse } from 'node:http'
import { describe, expect, it } from 'vitest'
import type { AuditOptions } from '../src/audit.js'
import type { AuditReport } from '../src/report/report.js'
import { auditOf, weaknessesOf } from './support/audit.js'
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
const LIMITS: AuditOptions = { timeoutSeconds: 2 }

describe('an audit', () => {
  it('finds nothing wrong with an endpoint that follows the specification', async () => {
    const report = await reportOn(endpointOf({}))
    expect(weaknessesOf(report)).toEqual({})
    expect(report.conclusion).toBeNull()
  })

  // At once, because most of an audit is waiting.
  it.concurrent.for([...body, ...header, ...time, ...digest, ...keys, ...answers, ...onExpress])(
    'finds all that is wrong with an endpoint that $what, and no more',
    async ({ listener, found }, { expect, onTestFinished }) => {
      const url = await serve(listener, onTestFinished)
      expect(weaknessesOf(await auditOf(url, LIMITS))).toEqual(found)
    },
  )

  it.concurrent.for([
    ['verifies the body as JSON.stringify prints it again', 'It verifies the parsed body, not the bytes.'],
    ['compares hex in any case', 'It reads the signature header loosely.'],
    ['does not check the time', 'It accepts deliveries that were signed long ago, or ahead of time.'],
    ['accepts v1 if v3 is wrong', 'It lets the sender choose the version of the signature.'],
    ['accepts a request without a signature as a test', 'It accepts deliveries without a signature.'],
    ['compares the beginning, as long as a digest is', 'It reads the signature header loosely.'],
    ['has a limit of 100 KB', 'It does not accept every valid delivery.'],
    ['reveals why it refuses', 'Its answers reveal too much.'],
    ['fails at a long header', 'It fails at some hostile deliveries.'],
  ] as const)(
    'concludes about an endpoint that %s: %s',
    async ([what, conclusion], { expect, onTestFinished }) => {
      const { listener } = [...body, ...header, ...time, ...digest, ...answers].find(
        (one) => one.what === what,
      )!
      const url = await serve(listener, onTestFinished)
      expect((await auditOf(url, LIMITS)).conclusion).toBe(conclusion)
    },
  )
})

describe('an endpoint that verifies another version', () => {
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
    const report = await reportOn(listener, { versions: [version], only: 'key' })
    expect(weaknessesOf(report)).toMatchObject({ accepts: ['key that is empty', 'key that was decoded'] })
  })
})

describe('an endpoint that treats all deliveries alike', () => {
  it('fails every case that it must refuse, if it accepts them', async () => {
    const report = await reportOn((req, res) => {
      req.resume().on('end', () => res.end('received'))
    })
    expect(report.cases.filter(({ weakness }) => weakness === 'accepts')).toEqual(
      report.cases.filter(({ name, expected }) => expected.startsWith('4xx') && !NEVER_WHOLE.includes(name)),
    )
    expect(weaknessesOf(report)).not.toHaveProperty('loses')
    expect(report.conclusion).toBe('It does not verify signatures.')
  })

  it.each<readonly [string, (res: ServerResponse) => unknown, string]>([
    ['redirects', (res) => res.writeHead(307, { Location: '/moved' }).end(), '307 (redirect)'],
    ['fails', (res) => res.writeHead(500).end(), '500'],
  ])(
    'fails every case but those about the text of answers, if it %s after the first',
    async (_what, answer, got) => {
      const { cases } = await reportOn(afterTheFirst((_req, res) => answer(res)))
      const failed = cases.filter(({ outcome }) => outcome === 'failed')
      expect(failed.map(({ name }) => name)).toEqual(
        cases
          .filter(({ group }) => group !== 'answers')
          .map(({ name }) => name)
          .slice(1),
      )
      expect(new Set(failed.map((each) => each.got))).toEqual(new Set([got]))
      // Accepting would be worse than failing.
      const costs = new Map(cases.map(({ name, cost }) => [name, cost]))
      expect(costs.get('no signature')).toMatch(/^The delivery is not accepted, but/)
      expect(costs.get('forged and packed')).toBe('A few bytes from anyone fill the memory.')
      expect(costs.get('nested 20,000 deep')).toBe('One delivery brings the endpoint down.')
    },
  )

  it('fails the cases in which it may not hang up, if it answers only valid deliveries', async () => {
    const right = endpointOf({ refuse: (_refusal, res) => res.destroy() })
    const { cases } = await reportOn(right)
    const passed = cases.filter(({ outcome, group }) => outcome === 'passed' && group !== 'genuine')
    expect(passed.map(({ name }) => name)).toEqual([
      'cut short',
      'forged 3 MB',
      'forged 64 MB',
      'forged and packed',
      // These are signed correctly, and the endpoint accepts them.
      'byte order mark',
      'body not in UTF-8',
      'nested 20,000 deep',
      'field named __proto__',
      // A missing answer reveals nothing.
      'answers that are alike',
      'answers without keys',
      'answers without stack',
    ])
  })
})

// A server of Node does not report the end of these to its program.
const NEVER_WHOLE: readonly string[] = ['cut short', 'forged 64 MB']

/** Accepts the first delivery, and treats all later ones alike. */
function afterTheFirst(listener: RequestListener): RequestListener {
  let isFirst = true
  return (req, res) => {
    if (!isFirst) {
      listener(req, res)
      return
    }
    isFirst = false
    res.writeHead(204).end()
  }
}

async function reportOn(listener: RequestListener, options: AuditOptions = {}): Promise<AuditReport> {
  return auditOf(await serve(listener), { ...LIMITS, ...options })
}
