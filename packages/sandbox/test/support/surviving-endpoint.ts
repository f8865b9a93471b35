import { memoryReplayStore, type WebhookEvent } from '@service-signature/core'
import { serviceSignature, type ServiceSignatureOptions } from '@service-signature/node'
import { EventEmitter, once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { ManualClock } from '../../src/index.js'
import { serve } from './serve.js'

/** An endpoint of a merchant with the adapter for Node, and what its handler got. It stops with the test. */
export interface SurvivingEndpoint {
  readonly url: string
  readonly handled: readonly WebhookEvent[]
}

export interface Merchant {
  readonly secret: string
  readonly account: string
  readonly clock: Pick<ManualClock, 'now'>
}

type Handler = (event: WebhookEvent, res: ServerResponse) => void | Promise<void>

/** What the merchant has done wrong; nothing by default. */
interface Mistake {
  readonly expect?: ServiceSignatureOptions['expect']
  /** Whether it has a replay store. */
  readonly isOnce?: boolean
  readonly handle?: Handler
}

/** It verifies, expects its account in test mode, and handles each delivery once. */
export async function survivingEndpoint(
  { secret, account, clock }: Merchant,
  {
    expect = { account, live: false, transactionMode: 'unknown' },
    isOnce = true,
    handle = () => undefined,
  }: Mistake = {},
): Promise<SurvivingEndpoint> {
  const handled: WebhookEvent[] = []
  const { now } = clock
  const replay = isOnce && { replay: memoryReplayStore({ now }) }
  const listener = serviceSignature({ secret, now, expect, ...replay }, async ({ event }, _req, res) => {
    handled.push(event)
    await handle(event, res)
  })
  return { url: `${await serve(createServer(listener))}/webhooks`, handled }
}

/** The intent that an event is about. */
function intentOf(event: WebhookEvent): string {
  if (event.shape === 'transaction') return event.payload.intent.id
  if (event.shape === 'intent') return event.payload.data.intent_id
  throw new Error('the event is not recognized')
}

const keyOf = (event: WebhookEvent) => `${event.type} ${intentOf(event)}`

/** For each test, an endpoint that makes one mistake: that which the test finds. `copies`: whether ten copies will come. */
export const MISTAKEN: Readonly<
  Record<string, (merchant: Merchant, copies: boolean) => Promise<SurvivingEndpoint>>
> = {
  'other-account': (merchant) =>
    survivingEndpoint(merchant, { expect: { live: false, transactionMode: 'unknown' } }),
  'other-mode': (merchant) => survivingEndpoint(merchant, { expect: { account: merchant.account } }),
  // It answers each duplicate as an error.
  lost(merchant) {
    const known = new Set<string>()
    const handle: Handler = (event, res) => {
      if (known.has(keyOf(event))) res.writeHead(409).end()
      known.add(keyOf(event))
    }
    return survivingEndpoint(merchant, { isOnce: false, handle })
  },
  // It updates a payment that only the first event adds.
  'out-of-order'(merchant) {
    const payments = new Set<string>()
    const handle: Handler = (event, res) => {
      if (event.shape === 'transaction') payments.add(intentOf(event))
      else if (!payments.has(intentOf(event))) res.writeHead(404).end()
    }
    return survivingEndpoint(merchant, { handle })
  },
  // It looks whether it knows the delivery, and adds it later, where a unique index refuses the second one.
  copies(merchant, copies) {
    const known = new Set<string>()
    const arrivals = new EventEmitter()
    let arrived = 0
    const handle: Handler = async (event, res) => {
      const key = keyOf(event)
      if (known.has(key)) return
      arrived++
      arrivals.emit('arrival')
      // After the delivery that opens the test, all copies look before the first one adds.
      while (copies && arrived > 1 && arrived < 11) await once(arrivals, 'arrival')
      if (known.has(key)) res.writeHead(500).end()
      known.add(key)
    }
    return survivingEndpoint(merchant, { isOnce: false, handle })
  },
  // It is in front of a limit of requests.
  burst(merchant) {
    let count = 0
    const handle: Handler = (_event, res) => {
      if (++count > 900) res.writeHead(429).end()
    }
    return survivingEndpoint(merchant, { handle })
  },
  // It gives up a payment after 3 s.
  'slow-provider'(merchant) {
    const begun = new Map<string, number>()
    const handle: Handler = (event, res) => {
      const since = begun.get(intentOf(event)) ?? merchant.clock.now()
      begun.set(intentOf(event), since)
      if (merchant.clock.now() - since > 3000) res.writeHead(410).end()
    }
    return survivingEndpoint(merchant, { handle })
  },
}
