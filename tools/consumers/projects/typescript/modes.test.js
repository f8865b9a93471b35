import { strictEqual } from 'node:assert'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { compilers, modes } from './modes.js'

for (const { mode } of modes) {
  for (const { compiler } of compilers) {
    test(`what ${compiler} made of the program in the mode ${mode} runs`, () => {
      const program = `modes/${mode}/out/${compiler}/main.js`
      const { status, stderr } = spawnSync(process.execPath, [program], { encoding: 'utf8' })
      strictEqual(status, 0, stderr)
    })
  }
}
