/**
 * What all adapters do alike, for those who write one: header first, then the body, then the delivery, once. This is
 * the entry for Node, Bun and Deno; `receiver.web.ts` is the one for edge runtimes. What the hosts of Node share beyond
 * it is in `./node`.
 *
 * @module core/receiver
 */
import { channel } from 'node:diagnostics_channel'
import { createVerifier } from './index.js'
import type { Explain } from './receiver/explanation.js'
import type { ReceiverOptions } from './receiver/options.js'
import { openOutlet, type Platform } from './receiver/outlet.js'
import { buildReceiver, type Receiver } from './receiver/receiver.js'

export * from './receiver/shared.js'

const NODE: Platform = {
  deliveries: channel('service-signature:delivery'),
  warn(message, detail) {
    process.emitWarning(message, { type: 'ServiceSignatureWarning', detail })
  },
}

/**
 * Makes the core of an adapter.
 *
 * @example
 * const receiver = createReceiver(options)
 * const delivery = receiver.admit({ request, header, encoding })
 * const { webhook, handle } = await delivery.accept(() => readBody(request, receiver.limits))
 *
 * @param explain what `onRejected` is given to ask; by default it is loaded when it is asked for
 * @throws {TypeError} on an option that is misspelled, missing or of the wrong type
 * @throws {RangeError} on a number out of bounds
 */
export function createReceiver<Request>(
  options: ReceiverOptions<Request>,
  explain?: Explain,
): Receiver<Request> {
  const loadExplain = async () => explain ?? (await import('./explain.js')).explain
  return buildReceiver(options, { createVerifier, loadExplain, outlet: openOutlet(NODE) })
}
