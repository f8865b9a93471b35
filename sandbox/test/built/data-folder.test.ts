import { spawn, spawnSync, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import { Endpoint } from '../support/endpoint.js'
import { temporaryFolder } from '../support/folder.js'

const command = fileURLToPath(new URL('../../../packages/cli/bin/service-signature.js', import.meta.url))

const AT_A_TIME = 8
const ANSWERS_BEFORE_THE_KILL = 60

interface Intent {
  readonly id: string
  readonly status: string
  readonly transactions: readonly { readonly id: string }[]
}

/** The command in a process of its own. */
class SandboxProcess {
  readonly child: ChildProcessWithoutNullStreams
  readonly url: string
  readonly #key: string

  private constructor(child: ChildProcessWithoutNullStreams, line: string) {
    const { url, apiKeys } = JSON.parse(line) as { url: string; apiKeys: { account: string } }
    this.child = child
    this.url = url
    this.#key = apiKeys.account
  }

  static async start(folder: string): Promise<SandboxProcess> {
    const child = spawn(process.execPath, [command, 'sandbox', '--json', '--data', folder])
    onTestFinished(() => void child.kill('SIGKILL'))
    const [line] = (await once(child.stdout, 'data')) as [Buffer]
    return new SandboxProcess(child, line.toString())
  }

  async call<Data>(method: string, path: string, body?: object): Promise<Data> {
    const response = await fetch(this.url + path, {
      method,
      headers: { 'X-Api-Key': this.#key, 'Content-Type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    expect(response.status).toBe(200)
    return ((await response.json()) as { data: Data }).data
  }

  async kill(): Promise<void> {
    const exit = once(this.child, 'exit')
    this.child.kill('SIGKILL')
    await exit
  }
}

describe('A sandbox with a data folder, killed in the middle of a burst of payments', () => {
  it('has everything that it has answered, sends every event, and gives no id twice', async () => {
    const folder = temporaryFolder()
    const endpoint = await Endpoint.start()
    const sandbox = await SandboxProcess.start(folder)
    // The last answer that the client got about each intent.
    const answered = new Map<string, Intent>()
    const payOneByOne = async () => {
      for (;;) {
        const fields = { amount: 10.5, amount_currency: 'EUR', webhook_url: endpoint.url }
        const made = await sandbox.call<Intent>('POST', '/api/v1.4/payments/intent/', fields)
        answered.set(made.id, made)
        const card = { card: '4242424242424242' }
        const paid = await sandbox.call<Intent>('POST', `/_sandbox/intents/${made.id}/pay/`, card)
        answered.set(paid.id, paid)
        if (answered.size >= ANSWERS_BEFORE_THE_KILL && !sandbox.child.killed) await sandbox.kill()
      }
    }
    const burst = await Promise.allSettled(Array.from({ length: AT_A_TIME }, payOneByOne))
    expect(burst.map(({ status }) => status)).toEqual(burst.map(() => 'rejected'))
    expect(sandbox.child.signalCode).toBe('SIGKILL')

    const again = await SandboxProcess.start(folder)
    for (const [id, intent] of answered) {
      const { status, transactions } = await again.call<Intent>('GET', `/api/v1.4/payments/intent/${id}/`)
      // A payment whose answer was cut off may have been made.
      if (intent.status === 'PROCESSED') expect({ id, status }).toEqual({ id, status: 'PROCESSED' })
      expect(transactions).toEqual(expect.arrayContaining([...intent.transactions]))
    }
    const fields = { amount: 1, amount_currency: 'EUR' }
    const { id } = await again.call<Intent>('POST', '/api/v1.4/payments/intent/', fields)
    expect(answered.has(id)).toBe(false)

    const paid = [...answered.values()].filter(({ status }) => status === 'PROCESSED')
    const missing = new Set(paid.flatMap((intent) => [`A ${intent.id}`, `B ${intent.id}`]))
    for (let seen = 0; missing.size > 0; seen++) {
      await endpoint.until(seen + 1)
      const event = endpoint.events[seen]!
      missing.delete(`A ${(event['intent'] as { id?: string } | undefined)?.id}`)
      missing.delete(`B ${(event['data'] as { intent_id?: string } | undefined)?.intent_id}`)
    }
    await again.kill()
  }, 60_000)

  it('refuses a second process, and says which one uses the folder', async () => {
    const folder = temporaryFolder()
    const sandbox = await SandboxProcess.start(folder)
    const { status, stderr } = spawnSync(process.execPath, [command, 'sandbox', '--data', folder], {
      encoding: 'utf8',
    })
    expect({ status, stderr }).toEqual({
      status: 2,
      stderr: `error: The data folder ${folder} is in use by the process ${sandbox.child.pid}. Stop that sandbox, or pass another folder.\n`,
    })
    await sandbox.kill()
    await (await SandboxProcess.start(folder)).kill()
  }, 60_000)
})
