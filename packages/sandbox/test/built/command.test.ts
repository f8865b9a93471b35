import { spawn, spawnSync, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'

const command = fileURLToPath(new URL('../../bin/service-signature-sandbox.js', import.meta.url))

interface Told {
  readonly url: string
  readonly apiKeys: { readonly account: string }
}

async function start(
  ...argv: readonly string[]
): Promise<{ process: ChildProcessWithoutNullStreams; line: string }> {
  const child = spawn(process.execPath, [command, ...argv])
  onTestFinished(() => void child.kill('SIGKILL'))
  const [line] = (await once(child.stdout, 'data')) as [Buffer]
  return { process: child, line: line.toString() }
}

describe('The command, in a process of its own', () => {
  it.each(['SIGINT', 'SIGTERM'] as const)('serves until %s, and then ends with 0', async (signal) => {
    const { process: child, line } = await start('--json', '--seed', 'process')
    const { url, apiKeys } = JSON.parse(line) as Told
    const answer = await fetch(`${url}/api/v1/organizations/get-webhook-signature-key/`, {
      headers: { 'X-Api-Key': apiKeys.account },
    })
    expect(answer.status).toBe(200)
    const exit = once(child, 'exit')
    child.kill(signal)
    expect(await exit).toEqual([0, null])
    await expect(fetch(url)).rejects.toThrow('fetch failed')
  })

  it('ends at once while a client listens to the stream and a retry is due', async () => {
    const { process: child, line } = await start('--json')
    const { url, apiKeys } = JSON.parse(line) as Told
    const post = (path: string, body: object) =>
      fetch(url + path, {
        method: 'POST',
        headers: { 'X-Api-Key': apiKeys.account, 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      })
    const intent = { amount: 1, amount_currency: 'EUR', webhook_url: 'http://127.0.0.1:1/' }
    const { data } = (await (await post('/api/v1.4/payments/intent/', intent)).json()) as {
      data: { id: string }
    }
    const stream = await fetch(`${url}/_sandbox/stream`)
    await post(`/_sandbox/intents/${data.id}/pay/`, { card: '4242424242424242' })
    const exit = once(child, 'exit')
    child.kill('SIGTERM')
    expect(await exit).toEqual([0, null])
    await expect(stream.text()).rejects.toThrow('terminated')
  })

  it('wrong use ends with 2, and says why', () => {
    const { status, stderr, stdout } = spawnSync(process.execPath, [command, '--prot', '1'], {
      encoding: 'utf8',
    })
    expect(status).toBe(2)
    expect(stderr).toContain('--prot')
    expect(stdout).toBe('')
  })
})

it('the command has all of its code: it does not load the package of the cli', () => {
  const dist = new URL('../../dist/', import.meta.url)
  const files = readdirSync(dist).filter((name) => name.endsWith('.mjs'))
  expect(files).toEqual(expect.arrayContaining(['main.mjs', 'listen.mjs', 'trigger.mjs', 'make-test.mjs']))
  for (const name of files)
    expect(readFileSync(new URL(name, dist), 'utf8')).not.toMatch(/service-signature\/(cli|deliveries)['"/]/)
})

describe('The ES module', () => {
  it.each([
    ['imported', ['--input-type=module', '-e', `import * as sandbox from '@service-signature/sandbox'; `]],
    [
      'required by CommonJS',
      ['--input-type=commonjs', '-e', `const sandbox = require('@service-signature/sandbox'); `],
    ],
  ])('%s: starts and ends', (_, [type, flag, load]) => {
    const use = `sandbox.startSandbox().then(async ({ url, close }) => {
      console.log((await fetch(url + '/_sandbox/state')).status, Object.keys(sandbox).sort().join())
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
