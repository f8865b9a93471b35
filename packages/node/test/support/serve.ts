import { listen } from '@service-signature/contract'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { onTestFinished } from 'vitest'
import { secret, sign, transaction } from './deliveries.js'

export interface Sender {
  /** Sends a delivery, signed with this key. */
  readonly send: (key?: string) => Promise<Response>
}

/** Serves until the test ends. */
export async function serve(answer: (req: IncomingMessage, res: ServerResponse) => unknown): Promise<Sender> {
  const { port, close } = await listen(answer)
  onTestFinished(close)
  return {
    send(key = secret) {
      const headers = { 'Service-Signature': sign(transaction, key), 'Content-Type': 'application/json' }
      return fetch(`http://127.0.0.1:${port}/webhooks`, { method: 'POST', headers, body: transaction })
    },
  }
}
