// The sandbox in the test runners, as docs/testing.md and the README of the sandbox say, and its command.
import { spawnSync } from 'node:child_process'

const jest = 'node_modules/jest/bin/jest.js'
const setUp = ['--globalSetup=./jest/sandbox-setup.mjs', '--globalTeardown=./jest/sandbox-teardown.mjs']

run(jest, '--ci', ...setUp, '--testMatch=**/*.jest.cjs')
run('--experimental-vm-modules', jest, '--ci', '--transform={}', '--testMatch=**/*.jest.mjs')
run('node_modules/vitest/vitest.mjs', 'run')
run('node_modules/service-signature/bin/service-signature.js', 'sandbox', '--help')

function run(...args) {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  if (status === 0) return
  console.error(`FAILED: node ${args.join(' ')}\n${stdout}${stderr}`)
  process.exitCode = 1
}
