import type { VerifiedWebhook } from '../webhook.js'
import {
  FAMILY_NAMES,
  type IntentEvent,
  type RecognizedEvent,
  type TransactionEvent,
  type WebhookEvent,
} from './event.js'
import { isRecord } from './schema.js'

/**
 * Which events a handler is for: a full type, `*` in the place of a segment (`transaction.*.successful`), a family
 * (`intent.*`: at the end, `*` stands for one segment or more), or `*` alone for every recognized event.
 */
export type EventPattern = '*' | `${'transaction' | 'intent' | '*'}.${string}`

/** The events that a pattern can match. */
export type EventOf<Pattern extends EventPattern> = Pattern extends '*' | `*.${string}`
  ? RecognizedEvent
  : Narrowed<Pattern extends `transaction.${string}` ? TransactionEvent : IntentEvent, Pattern>

type Narrowed<Event extends RecognizedEvent, Pattern extends string> = Pattern extends `${string}*${string}`
  ? Event
  : Event & { readonly type: Pattern }

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
  dispatch(webhook: VerifiedWebhook): Promise<'handled' | 'unhandled'>
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
      const running = matching.length > 0 ? matching : [...others]
      await runAll(running, webhook)
      return running.length > 0 ? 'handled' : 'unhandled'
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

/**
 * A pattern as a question to a type.
 *
 * @throws {TypeError} on a pattern that can match nothing
 */
function matcherOf(pattern: unknown): (type: string) => boolean {
  const segments = checkPattern(pattern)
  const isOpen = segments.at(-1) === '*'
  return (type) => {
    const given = type.split('.')
    if (isOpen ? given.length < segments.length : given.length !== segments.length) return false
    return segments.every((segment, i) => segment === '*' || segment === given[i])
  }
}

function checkPattern(pattern: unknown): readonly string[] {
  if (typeof pattern !== 'string')
    throw new TypeError(`A pattern must be a string, and is of type ${typeof pattern}`)
  const segments = pattern.split('.')
  const [family] = segments
  if (family !== '*' && !FAMILY_NAMES.some((name) => name === family)) {
    throw nothing(pattern, `types begin with ${FAMILY_NAMES.map((name) => `"${name}."`).join(' or ')}`)
  }
  if (segments.length === 1 && family !== '*')
    throw nothing(pattern, `for the whole family write "${family}.*"`)
  if (segments.some((segment) => segment === '')) throw nothing(pattern, 'it has an empty segment')
  if (segments.some((segment) => segment.length > 1 && segment.includes('*'))) {
    throw nothing(pattern, '* stands for a whole segment')
  }
  return segments
}

function nothing(pattern: string, why: string): TypeError {
  return new TypeError(`The pattern ${JSON.stringify(pattern)} can match nothing: ${why}`)
}
