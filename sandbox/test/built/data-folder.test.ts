import { expect, it } from 'vitest'
import { Endpoint } from '../support/endpoint.js'
import { temporaryFolder } from '../support/folder.js'
import { SandboxProcess } from '../support/sandbox-process.js'

const AT_A_TIME = 8
const ANSWERS_BEFORE_THE_KILL = 60
const INTENTS = '/api/v1.4/payments/intent/'

interface Intent {
  readonly id: string
  readonly status: string
  readonly transactions: readonly { readonly id: string }[]
}

const start = (folder: string) => SandboxProcess.start(['sandbox', '--data', folder])

it('a sandbox with a data folder that is killed in a burst of payments has all that it answered, sends every event, and gives no id twice', async () => {
  const folder = temporaryFolder()
  const endpoint = await Endpoint.start()
  const sandbox = await start(folder)
  // The last answer that the client got about each intent.
  const answered = new Map<string, Intent>()
  const payOneByOne = async () => {
    for (;;) {
      const fields = { amount: 10.5, amount_currency: 'EUR', webhook_url: endpoint.url }
      const made = await sandbox.call<Intent>('POST', INTENTS, fields)
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

  const again = await start(folder)
  for (const [id, intent] of answered) {
    const { status, transactions } = await again.call<Intent>('GET', `${INTENTS}${id}/`)
    // A payment whose answer was cut off may have been made.
    if (intent.status === 'PROCESSED') expect({ id, status }).toEqual({ id, status: 'PROCESSED' })
    expect(transactions).toEqual(expect.arrayContaining([...intent.transactions]))
  }
  const { id } = await again.call<Intent>('POST', INTENTS, { amount: 1, amount_currency: 'EUR' })
  expect(answered.has(id)).toBe(false)

  const paid = [...answered.values()].filter(({ status }) => status === 'PROCESSED')
  const missing = new Set(paid.flatMap((intent) => [`A ${intent.id}`, `B ${intent.id}`]))
  for (let seen = 0; missing.size > 0; seen++) {
    await endpoint.until(seen + 1)
    const { intent, data } = endpoint.events[seen] as unknown as {
      readonly intent?: { readonly id: string }
      readonly data?: { readonly intent_id: string }
    }
    missing.delete(`A ${intent?.id}`)
    missing.delete(`B ${data?.intent_id}`)
  }
})
