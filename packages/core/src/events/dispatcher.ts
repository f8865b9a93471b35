import type { VerifiedWebhook } from '../webhook.js'
import type { WebhookEvent } from './event.js'
import { isRecord } from './parts.js'
import { matcherOf, type EventOf, type EventPattern } from './pattern.js'

/** What a handler is given: the delivery, with what its event says at hand. */
export type DispatchedWebhook<Event extends WebhookEvent = WebhookEvent> = Event extends WebhookEvent
  ? VerifiedWebhook<Event> & Event
  : never

export type EventHandler<Event extends WebhookEvent> = (webhook: DispatchedWebhook<Event>) => unknown

/** Hands each delivery to the handlers of its event. */
export interface Dispatcher {
  /**
   * Adds a handler. One that is added twice runs twice.
   *
   * @throws {TypeError} on a pattern that can match nothing
   */
  on<const Pattern extends EventPattern>(
    pattern: Pattern,
    handler: EventHandler<EventOf<Pattern>>,
  ): Dispatcher
  /** Adds a handler for what no pattern matches, and for all that is unrecognized. */
  otherwise(handler: EventHandler<WebhookEvent>): Dispatcher
  /**
   * Runs all handlers of the event side by side, and waits for all of them. What nobody handles is fine: the sender
   * would only send it again.
   *
   * @throws {AggregateError} when some of them failed; each error names its `pattern`, and has the handler's as `cause`
   */
  dispatch(webhook: VerifiedWebhook): Promise<void>
}

interface Registration {
  readonly pattern: string
  readonly handler: (webhook: never) => unknown
}

interface Route extends Registration {
  readonly matches: (type: string) => boolean
}

/**
 * Makes a dispatcher.
 *
 * @example
 * const dispatcher = createDispatcher()
 *   .on('transaction.purchase.successful', ({ payload }) => fulfil(payload.intent.id))
 *   .on('intent.*', ({ payload }) => audit(payload.data.intent_id))
 *   .otherwise(({ event }) => console.warn('not handled', event.type))
 *
 * await dispatcher.dispatch(webhook)
 */
export function createDispatcher(): Dispatcher {
  const routes: Route[] = []
  const others: Registration[] = []

  const dispatcher: Dispatcher = {
    on(pattern, handler) {
      routes.push({ pattern, matches: matcherOf(pattern), handler: checkHandler(handler) })
      return dispatcher
    },
    otherwise(handler) {
      others.push({ pattern: 'otherwise', handler: checkHandler(handler) })
      return dispatcher
    },
    async dispatch(webhook) {
      checkWebhook(webhook)
      const matching = routesFor(webhook.event, routes)
      await runAll(matching.length > 0 ? matching : [...others], webhook)
    },
  }
  return dispatcher
}

function routesFor(event: WebhookEvent, routes: readonly Route[]): readonly Route[] {
  return event.shape === 'unrecognized' ? [] : routes.filter(({ matches }) => matches(event.type))
}

async function runAll(registered: readonly Registration[], webhook: VerifiedWebhook): Promise<void> {
  const given = { ...webhook, ...webhook.event }
  // A handler's type was checked against its pattern when it was added.
  const outcomes = await Promise.allSettled(
    registered.map(async ({ handler }) => {
      await handler(given as never)
    }),
  )
  const errors = outcomes.flatMap((outcome, i) =>
    outcome.status === 'rejected' ? [failureOf(registered[i]!.pattern, outcome.reason)] : [],
  )
  if (errors.length === 0) return
  const patterns = errors.map(({ pattern }) => JSON.stringify(pattern)).join(', ')
  throw new AggregateError(errors, `${errors.length} of ${registered.length} handlers failed: ${patterns}`)
}

function failureOf(pattern: string, cause: unknown): Error & { readonly pattern: string } {
  const detail = cause instanceof Error ? `: ${cause.message}` : ''
  const error = new Error(`The handler of ${JSON.stringify(pattern)} failed${detail}`, { cause })
  return Object.assign(error, { pattern })
}

function checkHandler<Handler>(handler: Handler): Handler {
  if (typeof handler !== 'function') {
    throw new TypeError(`A handler must be a function, and is of type ${typeof handler}`)
  }
  return handler
}

function checkWebhook(webhook: unknown): void {
  if (!isRecord(webhook) || !isRecord(webhook['event'])) {
    throw new TypeError('dispatch takes a verified webhook, as verify resolves to it')
  }
}
