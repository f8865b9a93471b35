import { createHmac } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'

export const SECRET = 'drill_signature_key'

const RETRY_AFTER = 100
const GIVE_UP_AFTER = 60_000

export interface SenderOptions {
  readonly deliveries: number
  /** How many deliveries are begun in a second. */
  readonly rate: number
  /** Each delivery is sent at most this many times at once. */
  readonly copies: number
  readonly ports: readonly number[]
  readonly random: () => number
  /** Called before each delivery is sent. */
  readonly onDelivery?: (index: number) => void
}

export interface Sent {
  /** The ids of the deliveries of which a copy was answered with 2xx, and of the other deliveries. */
  readonly acknowledged: readonly string[]
  readonly givenUp: readonly string[]
  /** How often each status was the answer; 0 if there was no answer. */
  readonly answers: ReadonlyMap<number, number>
  /** The longest time between the first attempt of a copy and its 2xx, in milliseconds. */
  readonly slowest: number
}

/** Sends each delivery several times at once, and retries each copy until it is answered 2xx. */
export async function sendAll(options: SenderOptions): Promise<Sent> {
  const { deliveries, rate, copies, random } = options
  const acknowledged: string[] = []
  const givenUp: string[] = []
  const answers = new Map<number, number>()
  let slowest = 0

  const sendCopy = async (body: string, first: number): Promise<boolean> => {
    const begun = Date.now()
    for (let attempt = first; Date.now() - begun < GIVE_UP_AFTER; attempt++) {
      const status = await send(options.ports[attempt % options.ports.length]!, body)
      answers.set(status, (answers.get(status) ?? 0) + 1)
      if (status >= 200 && status < 300) {
        slowest = Math.max(slowest, Date.now() - begun)
        return true
      }
      await setTimeout(RETRY_AFTER)
    }
    return false
  }
  const deliver = async (id: string, times: number, first: number) => {
    const body = JSON.stringify({ id, type: 'intent.processed' })
    const sent = Array.from({ length: times }, (_, copy) => sendCopy(body, first + copy))
    const isAcknowledged = (await Promise.all(sent)).some(Boolean)
    ;(isAcknowledged ? acknowledged : givenUp).push(id)
  }

  const pending: Promise<void>[] = []
  const begun = performance.now()
  for (let index = 0; index < deliveries; index++) {
    await setTimeout(Math.max(0, begun + (index * 1000) / rate - performance.now()))
    options.onDelivery?.(index)
    const times = 1 + Math.floor(random() * copies)
    pending.push(deliver(`delivery ${index}`, times, Math.floor(random() * options.ports.length)))
  }
  await Promise.all(pending)
  return { acknowledged, givenUp, answers, slowest }
}

/** Resolves to the status of the answer, or to 0 if there was no answer. */
async function send(port: number, body: string): Promise<number> {
  const timestamp = String(Math.floor(Date.now() / 1000))
  const message = Buffer.from(body).toString('base64') + timestamp
  const digest = createHmac('sha256', SECRET).update(message).digest('hex')
  try {
    const response = await fetch(`http://127.0.0.1:${port}/webhooks`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'Service-Signature': `t=${timestamp},v3=${digest}` },
      body,
    })
    await response.arrayBuffer()
    return response.status
  } catch {
    return 0
  }
}
