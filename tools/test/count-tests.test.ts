import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** What is printed about the reports of these runs of Vitest, each of one file. */
function countOf(...tests: readonly string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'service-signature-count-'))
  onTestFinished(() => {
    rmSync(folder, { recursive: true })
  })
  for (const [index, test] of tests.entries()) {
    const file = `${index}.test.js`
    writeFileSync(join(folder, file), test)
    const options = ['--globals', '--reporter=json', `--outputFile=tests-${index}.json`, file]
    spawnSync(join(root, 'node_modules/.bin/vitest'), ['run', ...options], { cwd: folder })
  }
  return execFileSync(process.execPath, [join(root, 'tools/count-tests.js'), folder], { encoding: 'utf8' })
}

it('prints each failed test with the first five lines of its message, and the sums of all runs last', () => {
  const printed = countOf(
    "describe('a shop', () => { it('sells', () => { throw new Error('1\\n2\\n3\\n4\\n5\\n6') }) })",
    "it('buys', () => {})\nit.skip('waits', () => {})",
  )
  expect(printed).toBe(
    'left out, each with its reason said above: 1\n' +
      'FAILED: a shop sells\n  Error: 1\n  2\n  3\n  4\n  5\ntests: 1 passed, 1 failed\n',
  )
})

it('prints a file that cannot be loaded, and a test that passed only at its second try', () => {
  const printed = countOf(
    "import './no-such-file.js'",
    "let times = 0\nit('learns', { retry: 1 }, () => { if (times++ === 0) throw new Error('early') })",
  )
  expect(printed).toMatch(/^passed only at its second try: learns: Error: early\n/)
  expect(printed).toMatch(/\nFAILED: \S+0\.test\.js\n {2}.*no-such-file\.js.*\ntests: 1 passed, 1 failed\n$/)
})
