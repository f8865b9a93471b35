import { WebhookError, type WebhookErrorCode } from '@service-signature/core'
import { describe, expect, it, vi } from 'vitest'
import * as node from '../src/index.js'
import * as web from '../src/index.web.js'
import { RefusalExplainer } from '../src/refusal-explainer.js'

const whole = { finding: 'whole' } as node.ExplainReport
const secret = 'test_signature_key'

function setUp() {
  let now = 0
  const explain = vi.fn(() => Promise.resolve(whole))
  const explainer = new RefusalExplainer(explain, () => now)
  const ask = (
    code: WebhookErrorCode = 'ERR_SIGNATURE_MISMATCH',
    body: Uint8Array | undefined = Buffer.from('{}'),
  ) => explainer.explain(new WebhookError(code), { header: undefined, body }, { secret })
  return {
    explain,
    ask,
    wait: (milliseconds: number) => {
      now += milliseconds
    },
  }
}

describe('the explanations of refusals', () => {
  it('are made one at a time: the others get a short report that says so', async () => {
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

  it('continue after one that failed', async () => {
    const { explain, ask, wait } = setUp()
    explain.mockRejectedValueOnce(new Error('a bug'))
    await expect(ask()).rejects.toThrow('a bug')
    wait(1000)
    expect(await ask()).toBe(whole)
  })

  it('do not count a refusal that its error explains already', async () => {
    const { explain, ask } = setUp()
    expect(await ask('ERR_TIMESTAMP_TOO_OLD')).not.toHaveProperty('limitReached')
    expect(await ask()).toBe(whole)
    expect(await ask('ERR_SIGNATURE_MISSING')).not.toHaveProperty('limitReached')
    expect(explain).toHaveBeenCalledOnce()
  })

  it.each([
    ['node:crypto', node],
    ['Web Crypto', web],
  ])('are those of explain, over %s', async (_, { createRefusalExplainer }) => {
    const refusals = createRefusalExplainer()
    const report = await refusals.explain(
      new WebhookError('ERR_SIGNATURE_MISMATCH'),
      { header: `t=${Math.floor(Date.now() / 1000)},v3=${'0'.repeat(64)}`, body: Buffer.from('{}') },
      { secret },
    )
    expect(report).toMatchObject({ ok: false, code: 'ERR_SIGNATURE_MISMATCH' })
    expect(report.hmacs).toBeGreaterThan(0)
  })
})
