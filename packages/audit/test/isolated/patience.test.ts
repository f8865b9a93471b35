import { expect, it, vi } from 'vitest'
import type { Answer, ExchangeLimits } from '../../src/send/exchange.js'
import type { AuditRequest } from '../../src/send/sender.js'
import type { Target } from '../../src/send/target.js'
import { auditOf } from '../support/audit.js'

const limits: number[] = []

/** An endpoint that answers only valid deliveries, without sockets and without waiting. */
vi.mock('../../src/send/exchange.js', async (original) => ({
  ...(await original<object>()),
  exchange: (
    _target: Target,
    { headers }: AuditRequest,
    { timeoutSeconds }: ExchangeLimits,
  ): Promise<Answer> => {
    limits.push(timeoutSeconds)
    const isSigned = headers.some(([name]) => name === 'Service-Signature')
    const answer = { status: 204, body: '', text: '', date: NaN }
    return Promise.resolve(
      isSigned
        ? { kind: 'answered', ...answer }
        : { kind: 'silent', reason: `no answer in ${timeoutSeconds} s` },
    )
  },
}))

it.each([
  ['10 s', 10, 2],
  ['1 s', 1, 1],
])(
  'an endpoint that leaves forgeries without an answer costs %s each at first',
  async (_what, before, after) => {
    limits.length = 0
    const { cases, notes } = await auditOf('http://127.0.0.1/', {
      groups: ['unsigned', 'answers'],
      timeoutSeconds: before,
    })
    const waits = cases
      .filter(({ got }) => got.includes('no answer'))
      .map(({ got }) => got.split(/,| and /)[0])
    // No signature, the same by PUT, and the first delivery of each of the three cases about answers.
    expect(waits).toEqual(
      [before, before, before, after, after].map((seconds) => `no answer in ${seconds} s`),
    )
    expect(limits.at(0)).toBe(before)
    expect(limits.at(-1)).toBe(after)
    const note = 'After 3 deliveries without an answer, the audit waited only 2 s for each of the others.'
    expect(notes).toEqual(before === after ? [] : [note])
  },
)
