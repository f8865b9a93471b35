import {
  Controller,
  HttpCode,
  Inject,
  Module,
  Post,
  type DynamicModule,
  type FactoryProvider,
  type ModuleMetadata,
  type OnModuleInit,
  type Type,
} from '@nestjs/common'
import { DiscoveryModule, DiscoveryService, MetadataScanner } from '@nestjs/core'
import { randomUUID } from 'node:crypto'
import { DeliveryIntake, type ServiceSignatureOptions } from './delivery-intake.js'
import { WebhookDispatcher } from './on-webhook.js'
import { isEndpoint, isGuarded, ServiceSignatureEndpoint } from './service-signature-decorator.js'

const MODULE_ID = Symbol('service-signature:module')

/** The options of the module besides those of every adapter. In `forRootAsync`, they are outside of the factory. */
export interface ServiceSignatureModuleExtras {
  /**
   * Makes the module the whole endpoint: deliveries to `POST` this path go to the `@OnWebhook()` methods, and
   * are answered with 204. Global prefix and versions apply, as to the path of any controller.
   */
  readonly path?: string | undefined
}

/** Options that come from other providers of the application. */
export interface ServiceSignatureModuleAsyncOptions extends ServiceSignatureModuleExtras {
  readonly imports?: ModuleMetadata['imports']
  /** The arguments of the factory. */
  readonly inject?: FactoryProvider['inject']
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- as in Nest, whose types do not connect it with "inject"
  readonly useFactory: (...args: any[]) => ServiceSignatureOptions | Promise<ServiceSignatureOptions>
}

/**
 * Verifies the payment service's webhooks. Imported once, in the module of the application. The bodies of its
 * route are kept from Nest's parsers by `app.use('/webhooks', unparsed)` in main.ts.
 *
 * @example
 * @Module({
 *   imports: [ServiceSignatureModule.forRoot({ path: 'webhooks', secret: process.env.WEBHOOK_SECRET })],
 *   providers: [PaymentsService],
 * })
 * export class AppModule {}
 */
@Module({ imports: [DiscoveryModule] })
export class ServiceSignatureModule implements OnModuleInit {
  // Not `private`, which others can still read: from these, everything in the application can be reached, keys too.
  readonly #intake: DeliveryIntake
  readonly #dispatcher: WebhookDispatcher
  readonly #discovery: DiscoveryService
  readonly #scanner: MetadataScanner

  constructor(
    @Inject(DeliveryIntake) intake: DeliveryIntake,
    @Inject(WebhookDispatcher) dispatcher: WebhookDispatcher,
    @Inject(DiscoveryService) discovery: DiscoveryService,
    @Inject(MetadataScanner) scanner: MetadataScanner,
  ) {
    this.#intake = intake
    this.#dispatcher = dispatcher
    this.#discovery = discovery
    this.#scanner = scanner
  }

  /** Also for a `path`: `forRoot({ path: 'webhooks', secret })`. */
  static forRoot(options: ServiceSignatureOptions & ServiceSignatureModuleExtras): DynamicModule {
    const { path, ...others } = { ...options }
    return ServiceSignatureModule.forRootAsync({ path, useFactory: () => others })
  }

  /** For options that come from other providers: `forRootAsync({ path, imports, inject, useFactory })`. */
  static forRootAsync({
    path,
    imports = [],
    inject = [],
    useFactory,
  }: ServiceSignatureModuleAsyncOptions): DynamicModule {
    // Not a provider with the options as its value: that would show the secret wherever Nest's container is printed.
    const intake: FactoryProvider<DeliveryIntake> = {
      provide: DeliveryIntake,
      inject: [WebhookDispatcher, ...inject],
      async useFactory(dispatcher: WebhookDispatcher, ...args: unknown[]) {
        return new DeliveryIntake(await useFactory(...args), path === undefined ? undefined : dispatcher)
      },
    }
    return {
      module: ServiceSignatureModule,
      global: true,
      imports,
      controllers: path === undefined ? [] : [endpointAt(path)],
      // Nest 10 takes two modules for one if their definitions look the same, whatever the factories close over.
      providers: [WebhookDispatcher, intake, { provide: MODULE_ID, useValue: randomUUID() }],
      exports: [WebhookDispatcher, DeliveryIntake],
    }
  }

  /**
   * @throws {TypeError} if the module is imported twice, or if there are handlers or guarded routes that would get no
   *   deliveries
   */
  onModuleInit(): void {
    const intakes = this.#discovery.getProviders().filter(({ token }) => token === DeliveryIntake)
    if (intakes.length > 1) {
      throw new TypeError(
        'ServiceSignatureModule is imported twice. Import it once, in the module of the application; for ' +
          'several accounts, let "secret" be a function of the request',
      )
    }
    const guarded = this.#guardedControllers()
    const other = guarded.find((controller) => !isEndpoint(controller))
    if (guarded.some(isEndpoint) && other !== undefined) {
      throw new TypeError(
        `ServiceSignatureModule has a "path", so it dispatches every delivery, and ${other.name} would get ` +
          'none. Leave out "path", or @ServiceSignature() there',
      )
    }
    if (this.#intake.hasDispatcherOfOptions && this.#dispatcher.hasHandlers) {
      throw new TypeError(
        'The "dispatcher" takes every delivery from the @OnWebhook() methods. Leave out one of them',
      )
    }
  }

  #guardedControllers(): readonly Type[] {
    return this.#discovery
      .getControllers()
      .map(({ metatype }) => metatype as Type)
      .filter((controller) => {
        const prototype = controller.prototype as Readonly<Record<string, object>>
        const methods = this.#scanner.getAllMethodNames(prototype).map((name) => prototype[name]!)
        return [controller, ...methods].some(isGuarded)
      })
  }
}

/** @returns a class of its own for each path: two applications may be in one process */
function endpointAt(path: string): Type {
  @Controller(path)
  @ServiceSignatureEndpoint()
  class WebhookEndpoint {
    @Post()
    @HttpCode(204)
    receive(): void {
      // The receiver has a dispatcher, and answers.
    }
  }
  return WebhookEndpoint
}
