import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'
import { auditOf, weaknessesOf } from './support/audit.js'
import { secret } from './support/truth.js'
import { isMissing } from '@service-signature/contract/services'

const program = fileURLToPath(new URL('support/endpoint.py', import.meta.url))

/** A correct endpoint without any code of this project, in a process of its own. */
async function startPython(key: string): Promise<string> {
  const python = spawn('python3', [program, key], { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(async () => {
    const exited = once(python, 'exit')
    python.kill()
    await exited
  })
  const [port] = (await once(createInterface(python.stdout), 'line')) as [string]
  return `http://127.0.0.1:${port}/webhooks`
}

it.skipIf(isMissing('python')).each([1, 8])(
  'a correct endpoint in Python passes all cases, %i at once',
  async (concurrency) => {
    const report = await auditOf(await startPython(secret), { concurrency })
    expect(weaknessesOf(report)).toEqual({})
    expect(report).toMatchObject({
      state: 'done',
      total: 68,
      passed: 68,
      notes: [
        expect.stringMatching(/^Not checked: whether the endpoint refuses genuine events of another account/),
      ],
    })
    expect(report.cases.find(({ name }) => name === 'no signature, by PUT')).toMatchObject({ got: '501' })
  },
)

it.skipIf(isMissing('python'))('with another key it gets a single conclusion', async () => {
  const report = await auditOf(await startPython('another_signature_key'))
  expect(report).toMatchObject({ state: 'stopped', reason: 'refused', passed: 0, failed: 2 })
})
