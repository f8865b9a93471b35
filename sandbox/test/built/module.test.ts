import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

describe('The ES module', () => {
  it.each([
    ['imported', ['--input-type=module', '-e', `import * as sandbox from '@service-signature/sandbox'; `]],
    [
      'required by CommonJS',
      ['--input-type=commonjs', '-e', `const sandbox = require('@service-signature/sandbox'); `],
    ],
  ])('%s: starts and ends', (_, [type, flag, load]) => {
    const use = `sandbox.startSandbox().then(async ({ url, close }) => {
      console.log((await fetch(url + '/_sandbox/overview/')).status, Object.keys(sandbox).sort().join())
      await close()
    })`
    const { stdout, stderr, status } = spawnSync(process.execPath, [type!, flag!, load! + use], {
      cwd: fileURLToPath(new URL('.', import.meta.url)),
      encoding: 'utf8',
    })
    expect({ stderr, status }).toEqual({ stderr: '', status: 0 })
    expect(stdout).toBe('200 manualClock,replayRecorded,startSandbox\n')
  })
})
