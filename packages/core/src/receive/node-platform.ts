import { channel, tracingChannel } from 'node:diagnostics_channel'
import {
  type DeliveryReport,
  type HandlingMessage,
  type Operator,
  type Platform,
  type RequestReport,
  stackOf,
} from './report.js'

export const NODE_PLATFORM: Platform = {
  deliveries: channel('service-signature:delivery'),
  runTraced,
  warn(message, detail) {
    process.emitWarning(message, { type: 'ServiceSignatureWarning', detail })
  },
}

const handling = tracingChannel<unknown, HandlingMessage>('service-signature')

function runTraced<Result>(handler: () => Result, report: RequestReport, operator: Operator): Result {
  if (!handling.hasSubscribers) return handler()
  const published = new Promise<DeliveryReport>((resolve) => {
    report.onPublished = resolve
  })
  const message: HandlingMessage = { ...report.known(), report: published }
  const run = () => runWithin(message.around, handler, operator)
  return handling.tracePromise(run as () => Promise<unknown>, message) as Result
}

/** The handler runs once, whatever a subscriber does. */
function runWithin<T>(around: HandlingMessage['around'], handler: () => T, operator: Operator): T {
  if (around === undefined) return handler()
  let repeat: (() => T) | undefined
  const runOnce = () => (repeat ??= attempt(handler))()
  try {
    around(runOnce)
  } catch (error) {
    if (repeat === undefined) {
      operator.warn('A subscriber failed around the handler; the response is not affected', stackOf(error))
    }
  }
  return runOnce()
}

/** Runs the handler. The function that it returns returns the result again, or throws the error again. */
function attempt<Result>(handler: () => Result): () => Result {
  try {
    const result = handler()
    return () => result
  } catch (error) {
    return () => {
      throw error
    }
  }
}
