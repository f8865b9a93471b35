import { Inject, Injectable, type OnModuleInit } from '@nestjs/common'
import { DiscoveryService, MetadataScanner } from '@nestjs/core'
import {
  createDispatcher,
  type DispatchedWebhook,
  type EventHandler,
  type EventPattern,
  type VerifiedWebhook,
  type WebhookEvent,
} from '@service-signature/core'

/** A decorator for methods of this type. */
export type DecoratorFor<Handler> = <Method extends Handler>(
  prototype: object,
  name: string | symbol,
  descriptor: TypedPropertyDescriptor<Method>,
) => void

/** Metadata key on handlers for their patterns; undefined for those of `OnUnhandledWebhook`. */
const PATTERNS = Symbol('service-signature:patterns')

/**
 * A method of a provider or controller that handles the events of a pattern. The delivery is acknowledged
 * when all handlers of its event have returned; if one throws, the sender can retry.
 *
 * @example
 * @Injectable()
 * export class PaymentsService {
 *   @OnWebhook('transaction.purchase.successful')
 *   async paid({ payload }: DispatchedWebhook<TransactionEvent>) {}
 * }
 */
export function OnWebhook<const Pattern extends EventPattern>(
  pattern: Pattern,
): DecoratorFor<EventHandler<Pattern>> {
  return addPattern(pattern)
}

/**
 * A method that handles every event for which there is no `OnWebhook`, unrecognized events included. Those with an invalid
 * payload are then acknowledged; to have them retried, use the option `onUnhandled` instead.
 */
export function OnUnhandledWebhook(): DecoratorFor<(webhook: DispatchedWebhook) => unknown> {
  return addPattern(undefined)
}

function addPattern(pattern: EventPattern | undefined): DecoratorFor<unknown> {
  return (_prototype, _name, { value }) => {
    const method = value as object
    Reflect.defineMetadata(PATTERNS, [...patternsOf(method), pattern], method)
  }
}

function patternsOf(method: object): readonly (EventPattern | undefined)[] {
  return (Reflect.getOwnMetadata(PATTERNS, method) as readonly EventPattern[] | undefined) ?? []
}

/** A class of the application and its instance, as Nest has it. */
type Wrapper = ReturnType<DiscoveryService['getProviders']>[number]
type Methods = Readonly<Record<string, (webhook: unknown) => unknown>>

/** Passes a delivery to the {@link OnWebhook} methods of the application. */
@Injectable()
export class WebhookDispatcher implements OnModuleInit {
  // Not `private`: from these, everything in the application can be reached, keys too.
  readonly #discovery: DiscoveryService
  readonly #scanner: MetadataScanner
  readonly #dispatcher = createDispatcher()
  #handlerCount = 0

  constructor(
    @Inject(DiscoveryService) discovery: DiscoveryService,
    @Inject(MetadataScanner) scanner: MetadataScanner,
  ) {
    this.#discovery = discovery
    this.#scanner = scanner
  }

  /** Whether the application has a handler. */
  get hasHandlers(): boolean {
    return this.#handlerCount > 0
  }

  /**
   * @throws {TypeError} on a pattern that can match nothing, or on a provider that has no instance of its own
   */
  onModuleInit(): void {
    const seen = new Set<unknown>()
    for (const wrapper of [...this.#discovery.getProviders(), ...this.#discovery.getControllers()]) {
      const instance: unknown = wrapper.instance
      // An alias of a provider has its instance.
      if (typeof instance !== 'object' || instance === null || seen.has(instance)) continue
      seen.add(instance)
      const prototype = Object.getPrototypeOf(instance) as Methods | null
      for (const name of this.#scanner.getAllMethodNames(prototype))
        this.#addHandlers(wrapper, name, prototype![name]!)
    }
  }

  /**
   * Runs all handlers of the event, and waits for all of them.
   *
   * @returns `unhandled` if there is no handler
   * @throws {unknown} the error of the handler that failed, or an `AggregateError` of several
   */
  dispatch(webhook: VerifiedWebhook | WebhookEvent): Promise<'handled' | 'unhandled'> {
    return this.#dispatcher.dispatch(webhook)
  }

  #addHandlers(wrapper: Wrapper, name: string, method: Methods[string]): void {
    for (const pattern of patternsOf(method)) {
      const place = `${String(wrapper.name)}.${name}`
      if (!wrapper.isDependencyTreeStatic() || wrapper.isTransient) {
        throw new TypeError(`${place} has @OnWebhook(), so its class must be a singleton (Scope.DEFAULT)`)
      }
      const handler = (webhook: unknown) => (wrapper.instance as Methods)[name]!(webhook)
      try {
        if (pattern === undefined) this.#dispatcher.otherwise(handler)
        else this.#dispatcher.on(pattern, handler)
      } catch (error) {
        throw new TypeError(`${place}: ${(error as TypeError).message}`, { cause: error })
      }
      this.#handlerCount += 1
    }
  }
}
