import { startSandbox } from '@service-signature/sandbox'
import { setTimeout } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { Child } from '../../packages/redis/test/support/child.js'
import { useRedis } from '../../packages/redis/test/support/redis.js'
import { bodyOf, send } from '../../packages/redis/test/support/sender.js'
import { isMissing } from '@service-signature/contract/services'

// A drill in real time, because the claims and the sender's schedule must fit together as they are: the sandbox waits 10 s
// for an answer and retries after 1 s and 5 s, and the handler of host.js takes 12 s for a payment. All hosts run at once.

const HOSTS = ['Express', 'Koa', 'hapi', 'Fastify', 'fetch']
const STORES = ['memory', 'Redis']
const HANG_UPS = 10

interface Delivery {
  readonly url: string
  readonly type: string
  readonly status: string
  readonly attempts: readonly { readonly answer: { readonly status: number } | null }[]
}

const { server } = useRedis()

it.skipIf(isMissing('redis'))(
  'handles a payment once if the sender hangs up before the handler ends, on every host and with both stores',
  async () => {
    const sandbox = await startSandbox()
    onTestFinished(sandbox.close)

    async function call(path: string, body?: object): Promise<unknown> {
      const headers = { 'X-Api-Key': sandbox.apiKeys.account, 'Content-Type': 'application/json' }
      const request = body && { method: 'POST', body: JSON.stringify(body) }
      const response = await fetch(sandbox.url + path, { headers, ...request })
      const { data, status } = (await response.json()) as { data: unknown; status: object }
      if (!response.ok) throw new Error(JSON.stringify(status))
      return data
    }

    async function pay(webhook_url: string): Promise<void> {
      const wish = { amount: 10.5, amount_currency: 'EUR', webhook_url }
      const intent = (await call('/api/v1.4/payments/intent/', wish)) as { id: string }
      await call(`/_sandbox/intents/${intent.id}/pay/`, { card: '4242424242424242' })
    }

    /** Sends one delivery every 100 ms, each time hanging up after 100 ms. */
    async function hangUp(port: number): Promise<number[]> {
      const statuses: number[] = []
      for (let sent = 0; sent < HANG_UPS; sent++) {
        const signal = AbortSignal.timeout(100)
        const sending = send(port, bodyOf('hang up'), { secret: sandbox.secret, signal })
        const [status] = await Promise.all([sending, setTimeout(100)])
        statuses.push(status)
      }
      return statuses
    }

    const combinations = HOSTS.flatMap((HOST) => STORES.map((STORE) => ({ HOST, STORE })))
    const runs = await Promise.all(
      combinations.map(async ({ HOST, STORE }) => {
        const env = { HOST, STORE, REDIS_URL: server().url, SECRET: sandbox.secret }
        const endpoint = new Child('../../packages/redis/test/built/host.js', import.meta.url, env)
        const port = (await endpoint.received('port')) as number
        return { HOST, STORE, endpoint, port }
      }),
    )
    const hungUp = await Promise.all(
      runs.map(async ({ port }) => {
        await pay(`http://127.0.0.1:${port}/webhooks`)
        return hangUp(port)
      }),
    )
    await sandbox.drained()

    const list = (await call('/_sandbox/newest/deliveries/?limit=100')) as readonly { readonly id: string }[]
    const deliveries = await Promise.all(
      list.map(async ({ id }) => (await call(`/_sandbox/deliveries/${id}/`)) as Delivery),
    )
    const rows = runs.map(({ HOST, STORE, endpoint, port }, index) => {
      const booked = (shape: string) => endpoint.all('booked').filter((each) => each === shape).length
      const own = deliveries.filter(({ url }) => new URL(url).port === String(port))
      const payment = own.find(({ type }) => type.startsWith('transaction.'))!
      return {
        host: HOST,
        store: STORE,
        'answers to the payment': payment.attempts.map(({ answer }) => answer?.status ?? 'none').join(' '),
        payments: booked('transaction'),
        intents: booked('intent'),
        'answers to 10 hang-ups': hungUp[index]!.map((status) => (status === 0 ? 'none' : status)).join(' '),
        'hang-ups': booked('unrecognized'),
        delivered: own.every(({ status }) => status === 'delivered'),
      }
    })
    console.table(rows)
    for (const row of rows) {
      expect(row).toMatchObject({ payments: 1, intents: 1, 'hang-ups': 1, delivered: true })
      // Without these, the drill would prove nothing.
      expect(row['answers to the payment']).toMatch(/^none .*200$/)
      expect(row['answers to 10 hang-ups']).toMatch(/^none /)
    }
  },
)
