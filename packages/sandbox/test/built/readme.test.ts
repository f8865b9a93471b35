import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

it('the test in the README passes as it stands', () => {
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')
  const [, example] = /```js\n(import [^]+?)```/.exec(readme)!
  const { stdout, status } = spawnSync(process.execPath, ['--input-type=module', '-e', example!], {
    cwd: fileURLToPath(new URL('.', import.meta.url)),
    encoding: 'utf8',
    // Within a run of tests it would report to that run, and not to who reads its output.
    env: { ...process.env, NODE_TEST_CONTEXT: undefined },
  })
  expect(stdout).toContain('both events of a payment are verified and handled')
  expect(status).toBe(0)
})
