import { spawnSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { file } from '../support/files.js'
import { audit } from './support/audit.js'
import { partlyWeak } from './support/partly-weak.js'
import { serve } from './support/serve.js'

describe('the JUnit report', () => {
  it('is XML, with a suite for each group', async () => {
    const path = file('', 'junit.xml')
    const { code, stdout } = await audit(await serve(partlyWeak), { junit: path })
    expect(code).toBe(1)
    expect(stdout).toContain('Score: ')
    const program = [
      'import json, sys, xml.etree.ElementTree as tree',
      'root = tree.parse(sys.argv[1]).getroot()',
      'cases = [dict(c.attrib, failure=[dict(f.attrib, text=f.text) for f in c]) for c in root.iter("testcase")]',
      'suites = [s.attrib for s in root]',
      'print(json.dumps(dict(tag=root.tag, root=root.attrib, suites=suites, cases=cases)))',
    ].join('\n')
    const { stdout: read } = spawnSync('python3', ['-c', program, path], { encoding: 'utf8' })
    const { tag, root, suites, cases } = JSON.parse(read) as JunitReport
    expect(tag).toBe('testsuites')
    expect(root).toMatchObject({ tests: String(cases.length), failures: '6' })
    expect(suites).toContainEqual({ name: 'time', tests: '5', failures: '4' })
    expect(cases).toContainEqual({ classname: 'tampered', name: 'tampered amount', failure: [] })
    expect(cases).toContainEqual({
      classname: 'time',
      name: 'time 0',
      failure: [
        {
          type: 'accepts',
          message: 'expected 4xx, got 204',
          text: 'A time of 0 passes for no time at all: such a delivery can be played again for ever. Sent: signed with "t=0".',
        },
      ],
    })
  })
})

interface JunitReport {
  readonly tag: string
  readonly root: object
  readonly suites: readonly object[]
  readonly cases: readonly object[]
}
