import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** What is printed about the reports of these runs of Vitest, each with its files. */
function countOf(...runs: readonly (readonly string[])[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'service-signature-count-'))
  onTestFinished(() => {
    rmSync(folder, { recursive: true })
  })
  for (const [index, tests] of runs.entries()) {
    const files = tests.map((_, number) => `${index}-${number}.test.js`)
    for (const [number, file] of files.entries()) writeFileSync(join(folder, file), tests[number]!)
    const options = ['--globals', '--reporter=json', `--outputFile=tests-${index}.json`, ...files]
    spawnSync(join(root, 'node_modules/.bin/vitest'), ['run', ...options], { cwd: folder })
  }
  return execFileSync(process.execPath, [join(root, 'tools/count-tests.js'), folder], { encoding: 'utf8' })
}

it('prints each failed file and test with the first five lines of its message, and the sums of all runs last', () => {
  const printed = countOf(
    [
      "describe('a shop', () => { it('sells', () => { throw new Error('1\\n2\\n3\\n4\\n5\\n6') }) })",
      "import './no-such-file.js'",
    ],
    ["it('buys', () => {})\nit.skip('waits', () => {})"],
  )
  expect(printed).toMatch(
    /^left out, each with its reason said above: 1\nFAILED: \S+0-1\.test\.js\n {2}.*no-such-file\.js/,
  )
  expect(printed).toContain(
    '\nFAILED: a shop sells\n  Error: 1\n  2\n  3\n  4\n  5\ntests: 1 passed, 2 failed\n',
  )
})
