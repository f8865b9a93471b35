import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { isMissing } from '@service-signature/contract/services'

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url))
const require = createRequire(import.meta.url)

it.skipIf(isMissing('drivers') || process.env['OVER_NODE_SQLITE'] === 'yes')(
  'passes the tests over node:sqlite, of Node 22',
  () => {
    const node = join(dirname(require.resolve(`node-22-linux-${process.arch}/package.json`)), 'bin/node')
    const files = ['inbox', 'migration', 'synchronous'].map(
      (name) => `packages/sqlite/test/engine/${name}.service.test.ts`,
    )
    const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--project=services']
    const { status, stdout, stderr } = spawnSync(node, [...vitest, ...files], {
      cwd: ROOT,
      encoding: 'utf8',
      env: { PATH: process.env['PATH'], OVER_NODE_SQLITE: 'yes', NODE_NO_WARNINGS: '1', NO_COLOR: '1' },
    })
    expect(status, stdout + stderr).toBe(0)
    expect(stdout).toMatch(/ 3 passed/)
  },
)
