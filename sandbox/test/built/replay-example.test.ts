import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

it('the example of replayRecorded passes, and its recordings hold a purchase and a forgery', () => {
  const example = fileURLToPath(new URL('../../../examples/sandbox/replay.test.js', import.meta.url))
  const { PATH } = process.env
  const options = { env: { PATH, NODE_ENV: 'test' }, encoding: 'utf8', timeout: 30_000 } as const
  const { status, stdout, stderr } = spawnSync(process.execPath, [example], options)
  expect(status).toBe(0)
  // The forgery of the example is refused, without a hook that would say so.
  expect(stderr).toMatch(/^\S+ ServiceSignatureWarning: The delivery was refused: ERR_SIGNATURE_MISMATCH: /)
  expect(stdout).toMatch(/^# pass 1$/m)
  const read = (name: string) => readFileSync(join(example, '../recordings', name), 'utf8')
  expect(JSON.parse(read('purchase.json'))).toMatchObject({ answer: { status: 204 } })
  expect(JSON.parse(read('forged-purchase.json'))).toMatchObject({
    faults: ['tamper'],
    answer: { status: 401 },
  })
})
