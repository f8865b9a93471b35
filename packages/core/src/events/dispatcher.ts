import { WebhookError } from '../errors.js'
import { typeName } from '../shared/check-options.js'
import { copyOrigin, type SignatureProof } from '../signature/proof.js'
import {
  type IntentEvent,
  type RecognizedEvent,
  type TransactionEvent,
  type UnrecognizedEvent,
  type VerifiedWebhook,
  type WebhookEvent,
} from './event.js'
import { checkPattern, matches } from './patterns.js'
import { type EVENT_TYPES, FAMILY_NAMES } from './payloads.js'
import { type EventIssue, isRecord } from './schema.js'
import { checkSchema, misfitsOf, type StandardSchema } from './standard-schema.js'

/**
 * Which events a handler is for: a full type, `*` in the place of a segment (`transaction.*.successful`), a family
 * (`intent.*`: at the end, `*` stands for one segment or more), or `*` alone for every recognized event. A family that this
 * package does not know (`card_token.*`) is a pattern for events of an unknown type.
 */
export type EventPattern =
  | '*'
  | (typeof EVENT_TYPES)[number]
  | 'transaction.*'
  | 'intent.*'
  // Without the intersection, the compiler would drop the names above, and editors could not complete them.
  | (`${string}.${string}` & Record<never, never>)

/** The events that a pattern can match. */
export type EventOf<Pattern extends EventPattern> = Pattern extends '*' | `*.${string}`
  ? RecognizedEvent
  : Pattern extends `transaction.${string}`
    ? Pattern extends `${string}*${string}`
      ? TransactionEvent
      : TransactionEvent<Pattern>
    : Pattern extends `intent.${string}`
      ? Pattern extends `${string}*${string}`
        ? IntentEvent
        : IntentEvent<Pattern>
      : 'any.type' extends Pattern
        ? WebhookEvent
        : UnrecognizedEvent & { readonly receivedType: string; readonly reason: 'unknown-type' }

/**
 * What a handler gets: the delivery, and also the fields of its event. If an event was dispatched without its delivery,
 * reading a field of the delivery throws.
 */
export type DispatchedWebhook<Event extends WebhookEvent = WebhookEvent> = SignatureProof & WithEvent<Event>

/** Distributes over a union of events, so that a check of `shape` narrows `event`, too. */
type WithEvent<Event> = Event extends WebhookEvent ? Event & { readonly event: Event } : never

/**
 * A handler of the events that a pattern matches.
 *
 * @example
 * const fulfil: EventHandler<'transaction.purchase.successful'> = ({ payload }) => ship(payload.intent.id)
 */
export type EventHandler<Pattern extends EventPattern> = (
  webhook: DispatchedWebhook<EventOf<Pattern>>,
) => unknown

type WithPayload<Webhook, Payload> = Webhook extends unknown
  ? Omit<Webhook, 'payload'> & { readonly payload: Payload }
  : never

/** Passes each delivery to the handlers of its event. */
export interface Dispatcher {
  /**
   * Adds a handler: an {@link EventHandler} of the pattern, or of one that matches more. One that is added twice runs twice.
   *
   * @throws {TypeError} on a pattern that can match nothing, or that looks like a known type with a typing error
   */
  on<const Pattern extends EventPattern>(
    pattern: Pattern,
    handler: (webhook: DispatchedWebhook<EventOf<Pattern>>) => unknown,
  ): Dispatcher
  /**
   * Adds a handler of the events whose payload also matches a schema of your own. It gets the payload as the schema returns it. An
   * event that matches only the pattern is an invalid payload.
   *
   * @param options `schema` is of any library with Standard Schema, such as zod, valibot or arktype
   */
  on<const Pattern extends EventPattern, Payload>(
    pattern: Pattern,
    options: { readonly schema: StandardSchema<Payload> },
    handler: (webhook: WithPayload<DispatchedWebhook<EventOf<Pattern>>, Payload>) => unknown,
  ): Dispatcher
  /** Adds a handler for every event that no pattern matches, unrecognized events included. */
  otherwise(handler: (webhook: DispatchedWebhook) => unknown): Dispatcher
  /**
   * Runs all handlers of the event side by side, and waits for all of them. Without any, it runs those of `otherwise`.
   *
   * @param given a delivery, or an event alone: in the worker of a queue, `recognize(payload)`
   * @returns `unhandled` if there is no handler
   * @throws {unknown} the error of the handler that failed
   * @throws {AggregateError} the errors of several handlers
   * @throws {WebhookError} `ERR_EVENT_INVALID` if the payload is invalid and would otherwise vanish: a handler is registered
   *   for its type, and there is no `otherwise`
   */
  dispatch(given: VerifiedWebhook | WebhookEvent): Promise<'handled' | 'unhandled'>
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
  return new EventDispatcher()
}

interface Added {
  readonly pattern: string
  /** Its type was checked against its pattern when it was added. */
  readonly handler: (webhook: never) => unknown
}

type Route = Added & {
  readonly segments: readonly string[]
  readonly schema?: StandardSchema<unknown> | undefined
}
type Run = Added & { readonly webhook: DispatchedWebhook }

class EventDispatcher implements Dispatcher {
  readonly #routes: Route[] = []
  readonly #others: Added[] = []

  on(pattern: EventPattern, ...rest: readonly unknown[]): this {
    const handler = checkHandler(rest.at(-1) as Route['handler'])
    const schema = rest.length > 1 ? checkSchema(rest[0]) : undefined
    this.#routes.push({ pattern, segments: checkPattern(pattern), schema, handler })
    return this
  }

  otherwise(handler: (webhook: DispatchedWebhook) => unknown): this {
    this.#others.push({ pattern: 'otherwise', handler: checkHandler(handler) })
    return this
  }

  async dispatch(given: VerifiedWebhook | WebhookEvent): Promise<'handled' | 'unhandled'> {
    const webhook = dispatched(given)
    const { event } = webhook
    const issues: EventIssue[] = []
    let isInvalid = this.#wouldVanish(event)
    if (isInvalid) issues.push(...(event as UnrecognizedEvent).issues)
    const running: Run[] = []
    for (const { segments, schema, ...route } of this.#routes) {
      if (!isFor(segments, event)) continue
      const result = schema && (await schema['~standard'].validate(event.payload))
      if (result?.issues === undefined) {
        running.push({ ...route, webhook: result ? withPayload(webhook, result.value) : webhook })
      } else {
        isInvalid = true
        issues.push(...misfitsOf(result.issues))
      }
    }
    if (isInvalid && this.#others.length === 0) throw invalid(issues)
    if (isInvalid || running.length === 0)
      running.push(...this.#others.map((route) => ({ ...route, webhook })))
    if (running.length === 0) return 'unhandled'
    await runAll(running)
    return 'handled'
  }

  /** Whether the payload is invalid, and a handler is waiting for events of its type. */
  #wouldVanish(event: WebhookEvent): boolean {
    if (event.shape !== 'unrecognized' || event.reason !== 'invalid-payload') return false
    const { receivedType } = event
    return receivedType !== undefined && this.#routes.some(({ segments }) => matches(segments, receivedType))
  }
}

function isFor(segments: readonly string[], event: WebhookEvent): boolean {
  if (event.shape !== 'unrecognized') return matches(segments, event.type)
  const { reason, receivedType } = event
  // What begins with "*" is for recognized events.
  if (reason !== 'unknown-type' || receivedType === undefined || segments[0] === '*') return false
  return matches(segments, receivedType)
}

function invalid(issues: readonly EventIssue[]): WebhookError {
  const first = issues.slice(0, 3).map(({ path, reason }) => `${path} ${reason}`)
  const rest = issues.length > first.length ? `; and ${issues.length - first.length} more` : ''
  return new WebhookError('ERR_EVENT_INVALID', { detail: first.join('; ') + rest })
}

async function runAll(runs: readonly Run[]): Promise<void> {
  const running = runs.map(async ({ handler, webhook }) => {
    await handler(webhook as never)
  })
  const outcomes = await Promise.allSettled(running)
  const failed = outcomes.flatMap((outcome, i) =>
    outcome.status === 'rejected' ? [{ error: outcome.reason as unknown, pattern: runs[i]!.pattern, i }] : [],
  )
  if (failed.length === 0) return
  // The same value that was thrown, even if it is not an Error.
  if (failed.length === 1) return running[failed[0]!.i]
  // Hosts log the message and the stack of an error, but not the errors inside.
  const details = failed.map(({ pattern, error }) => `${JSON.stringify(pattern)}: ${messageOf(error)}`)
  throw new AggregateError(
    failed.map(({ error }) => error),
    `${failed.length} of ${runs.length} handlers failed. ${details.join('; ')}`,
    { cause: failed[0]!.error },
  )
}

function messageOf(error: unknown): string {
  if (error instanceof Error) return `${error.name}: ${error.message}`
  return typeof error === 'string' ? error : 'a value was thrown that is not an Error'
}

function checkHandler<Handler>(handler: Handler): Handler {
  if (typeof handler === 'function') return handler
  throw new TypeError(`The handler must be a function, got ${typeName(handler)}`)
}

// Not by a spread, which bundlers keep in every bundle.
const SHAPES: readonly unknown[] = (FAMILY_NAMES as readonly string[]).concat('unrecognized')

function dispatched(given: unknown): DispatchedWebhook {
  if (isRecord(given)) {
    const { event } = given
    if (isRecord(event) && SHAPES.includes(event['shape']))
      return copyOrigin({ ...given, ...event }, given) as never
    if (SHAPES.includes(given['shape']))
      return Object.assign(Object.create(NO_DELIVERY), { ...given, event: given }) as never
  }
  throw new TypeError(
    'dispatch: expected a verified webhook or an event. Make an event of a payload with recognize(payload)',
  )
}

/** Keeps the prototype, which an event that was dispatched alone has. */
function withPayload(webhook: DispatchedWebhook, payload: unknown): DispatchedWebhook {
  const copy = Object.create(Object.getPrototypeOf(webhook) as object) as object
  return copyOrigin(Object.assign(copy, webhook, { payload }), webhook)
}

const PROOF = ['timestamp', 'signedAt', 'versions', 'rawBody', 'secretIndex', 'keyFingerprint']

/** Replaces the delivery of an event that was dispatched alone, because `undefined` could be mistaken for a value. */
const NO_DELIVERY = Object.create(
  null,
  Object.fromEntries(PROOF.map((name) => [name, { get: () => unknown(name) }])),
) as object

function unknown(name: string): never {
  throw new TypeError(`"${name}" is unknown: the event was dispatched without its delivery`)
}
