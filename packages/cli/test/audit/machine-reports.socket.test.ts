import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { UsageError } from '../../src/exit.js'
import { file } from '../support/files.js'
import { audit, auditAsJson } from './support/audit.js'
import { partlyWeak } from './support/partly-weak.js'
import { endpointOf } from './support/recipe.js'
import { serve } from './support/serve.js'

describe('the report for machines', () => {
  it('is one document', async () => {
    const url = await serve(partlyWeak)
    const { code, stdout, stderr } = await audit(url, { only: 'by an hour', json: true })
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' })
    expect(JSON.parse(stdout)).toEqual({
      target: url,
      score: 0,
      passed: 0,
      total: 1,
      acceptsGenuine: true,
      notes: [],
      cases: [
        {
          name: 'stale by an hour',
          group: 'time',
          sent: 'signed an hour ago',
          expected: '4xx',
          got: '204',
          passed: false,
          weakness: 'accepts',
          risk: 'Whoever saw a delivery once, in a log or a proxy, can play it again.',
        },
      ],
    })
  })

  it('has a score of 100 for all cases alone', async () => {
    const report = await auditAsJson(
      await serve(endpointOf({ isFresh: (t, now) => now - Number(t) <= 300 })),
      {
        only: 'e',
      },
    )
    expect(report.passed).toBe(report.total - 2)
    expect(report.score).toBe(Math.floor((100 * report.passed) / report.total))
    expect(report.score).toBeLessThan(100)
    expect(report.cases.find(({ name }) => name === 'genuine purchase')).toMatchObject({ passed: true })
  })

  it('says that genuine deliveries are refused', async () => {
    const url = await serve((_req, res) => res.writeHead(401).end())
    const report = await auditAsJson(url, { only: 'stale' })
    expect(report).toMatchObject({ acceptsGenuine: false, passed: 2, total: 3, score: 66 })
    expect(report.cases[0]).toMatchObject({ name: 'genuine purchase', passed: false })
  })
})

describe('the JUnit report', () => {
  it('is escaped', async () => {
    const path = file('', 'junit.xml')
    const url = await serve(partlyWeak)
    await audit(`${url}/a&b'c`, { junit: path, only: 'time 0' })
    const text = readFileSync(path, 'utf8')
    expect(text).toContain(`name="service-signature audit ${url}/a&amp;b'c"`)
    expect(text).toContain('signed with &quot;t=0&quot;.</failure>')
  })

  it('that cannot be written is a wrong use', async () => {
    const url = await serve(endpointOf({}))
    const failed = audit(url, { only: 'stale', junit: '/dev/null/junit.xml' })
    await expect(failed).rejects.toThrow(UsageError)
    await expect(failed).rejects.toThrow('Cannot write /dev/null/junit.xml: ENOTDIR.')
  })
})
