/**
 * What all adapters do alike, for those who write one. This is the entry for edge runtimes: it uses Web Crypto alone, and
 * leaves `explain` to who wants it, for a bundle would hold all of it.
 *
 * @module
 */
import { createVerifier } from './index.web.js'
import type { Explain } from './receiver/explanation.js'
import type { ReceiverOptions } from './receiver/options.js'
import { openOutlet, type Platform } from './receiver/outlet.js'
import { buildReceiver, type Receiver } from './receiver/receiver.js'

export * from './receiver/shared.js'

const WEB: Platform = {
  warn(message, detail) {
    console.warn(`ServiceSignatureWarning: ${message}\n${detail}`)
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
 * @param explain what `onRejected` is given to ask; without it, the answer is what the error says
 * @throws {TypeError} on an option that is misspelled, missing or of the wrong type
 * @throws {RangeError} on a number out of bounds
 */
export function createReceiver<Request>(
  options: ReceiverOptions<Request>,
  explain?: Explain,
): Receiver<Request> {
  const loadExplain = () => Promise.resolve(explain)
  return buildReceiver(options, { createVerifier, loadExplain, outlet: openOutlet(WEB) })
}
