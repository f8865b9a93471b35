import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { isMissing } from '@service-signature/contract/services'

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url))

it.skipIf(isMissing('better-sqlite3'))(
  'books each delivery exactly once while processes are killed that share a file',
  () => {
    const numbers = ['--deliveries', '300', '--rate', '60', '--processes', '3', '--kills', '12']
    const drill = ['test/drills/run.js', 'kills', '--database', 'sqlite', ...numbers]
    const { status, stdout, stderr } = spawnSync(process.execPath, drill, { cwd: ROOT, encoding: 'utf8' })
    expect(status, stdout + stderr).toBe(0)
    expect(stdout).toMatch(/processes killed +\S +[1-9]/)
  },
)
