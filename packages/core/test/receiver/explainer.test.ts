import { describe, expect, it, vi } from 'vitest'
import { WebhookError, type WebhookErrorCode } from '../../src/index.js'
import type { ExplainReport } from '../../src/explain.js'
import { Explainer, type Explain } from '../../src/receiver/explanation.js'
import { secret } from '../support/deliveries.js'

const whole = { finding: 'whole' } as ExplainReport

function setUp() {
  let now = 0
  const explain = vi.fn<Explain>(() => Promise.resolve(whole))
  const explainer = new Explainer(
    () => Promise.resolve(explain),
    () => now,
  )
  const ask = (
    code: WebhookErrorCode = 'ERR_SIGNATURE_MISMATCH',
    body: Uint8Array | undefined = Buffer.from('{}'),
  ) =>
    explainer.explain({
      error: new WebhookError(code),
      header: undefined,
      body,
      options: () => Promise.resolve({ secret }),
    })
  return {
    explain,
    ask,
    wait: (milliseconds: number) => {
      now += milliseconds
    },
  }
}

describe('the explanations of an endpoint', () => {
  it('are made one at a time: the others get the short report, which says so', async () => {
    const { explain, ask } = setUp()
    const reports = await Promise.all(Array.from({ length: 50 }, () => ask()))
    expect(explain).toHaveBeenCalledOnce()
    expect(reports[0]).toBe(whole)
    for (const report of reports.slice(1)) {
      expect(report).toMatchObject({
        ok: false,
        code: 'ERR_SIGNATURE_MISMATCH',
        hmacs: 0,
        limitReached: 'Another delivery was explained less than a second ago, so this one was not.',
      })
    }
  })

  it('are made at most once in a second', async () => {
    const { explain, ask, wait } = setUp()
    await ask()
    wait(999)
    expect(await ask()).toHaveProperty('limitReached')
    wait(1)
    expect(await ask()).toBe(whole)
    expect(explain).toHaveBeenCalledTimes(2)
  })

  it('go on after one that failed', async () => {
    const { explain, ask, wait } = setUp()
    explain.mockRejectedValueOnce(new Error('a bug'))
    await expect(ask()).rejects.toThrow('a bug')
    wait(1000)
    expect(await ask()).toBe(whole)
  })

  it('do not count a refusal that the error itself explains', async () => {
    const { explain, ask } = setUp()
    expect(await ask('ERR_TIMESTAMP_TOO_OLD')).not.toHaveProperty('limitReached')
    expect(await ask()).toBe(whole)
    expect(await ask('ERR_SIGNATURE_MISSING')).not.toHaveProperty('limitReached')
    expect(explain).toHaveBeenCalledOnce()
  })
})
