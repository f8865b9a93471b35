import { spawnSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { formatJunit, type AuditReport } from '../../src/index.js'
import { auditOf } from '../support/audit.js'
import { partlyWeak } from '../support/partly-weak.js'
import { serve } from '../support/serve.js'
import { isMissing } from '@service-signature/contract/services'

interface JunitReport {
  readonly tag: string
  readonly root: object
  readonly suites: readonly object[]
  readonly cases: readonly object[]
}

/** The report, parsed by the XML parser of Python. */
function read(report: AuditReport): JunitReport {
  const program = [
    'import json, sys, xml.etree.ElementTree as tree',
    'root = tree.fromstring(sys.stdin.buffer.read())',
    'cases = [dict(c.attrib, **{f.tag: dict(f.attrib, text=f.text) for f in c}) for c in root.iter("testcase")]',
    'suites = [s.attrib for s in root]',
    'print(json.dumps(dict(tag=root.tag, root=root.attrib, suites=suites, cases=cases)))',
  ].join('\n')
  const input = formatJunit(report)
  return JSON.parse(spawnSync('python3', ['-c', program], { encoding: 'utf8', input }).stdout) as JunitReport
}

describe.skipIf(isMissing('python'))('the JUnit report', () => {
  it('has a suite for each group, and a failure for each failed case', async () => {
    const url = await serve(partlyWeak)
    const { tag, root, suites, cases } = read(await auditOf(`${url}/a&b'c`))
    expect(tag).toBe('testsuites')
    expect(root).toEqual({
      name: `service-signature audit ${url}/a&b'c`,
      tests: String(cases.length),
      failures: '6',
      errors: '0',
      skipped: '0',
    })
    expect(suites).toContainEqual({ name: 'time', tests: '5', failures: '4', errors: '0', skipped: '0' })
    expect(cases).toContainEqual({ classname: 'tampered', name: 'tampered amount' })
    expect(cases).toContainEqual({
      classname: 'time',
      name: 'time 0',
      failure: {
        type: 'accepts',
        message: 'got 204; expected 4xx',
        text:
          'Sent: signed with "t=0". A time of 0 counts as no time at all: such a delivery can be repeated forever. ' +
          'Fix: Compare "t" as a number, and do not treat 0 as a missing value.',
      },
    })
  })

  it('has an error if the audit ended early, and skips the cases that were not run', async () => {
    const url = await serve((_req, res) => res.writeHead(401).end())
    const report = await auditOf(url, { groups: ['genuine', 'answers'] })
    const { root, suites, cases } = read(report)
    expect(root).toMatchObject({ tests: '25', failures: '2', errors: '1', skipped: '22' })
    expect(suites.map((suite) => (suite as { name: string }).name)).toEqual(['audit', 'genuine', 'answers'])
    expect(cases[0]).toEqual({
      classname: 'audit',
      name: 'reaches its end',
      error: { message: report.problem, text: null },
    })
    expect(cases[1]).toHaveProperty('failure')
    expect(cases[3]).toHaveProperty('skipped')
  })
})
