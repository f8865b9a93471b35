import {
  ConfigurableModuleBuilder,
  Controller,
  HttpCode,
  Inject,
  Module,
  Post,
  type NestModule,
  type OnModuleInit,
  type Type,
} from '@nestjs/common'
import { DiscoveryModule, DiscoveryService, HttpAdapterHost, MetadataScanner } from '@nestjs/core'
import { DeliveryIntake, type ServiceSignatureOptions } from './delivery-intake.js'
import { takeBeforeParsers, type ExpressApplication } from './express-intake.js'
import { takeBeforeParsing, type FastifyApplication } from './fastify-intake.js'
import { markGuardedRoutes } from './guarded-routes.js'
import { WebhookDispatcher } from './on-webhook.js'
import { ServiceSignature } from './service-signature-decorator.js'

/** The options of the module besides those of every adapter. In `forRootAsync`, they are outside of the factory. */
export interface ServiceSignatureModuleExtras {
  /**
   * Makes the module the whole endpoint: deliveries to `POST` this path go to the `@OnWebhook()` methods, and
   * are answered with 204. Global prefix and versions apply, as to the path of any controller.
   */
  readonly path?: string | undefined
}

/** The controller of the module's own, for its `path`. */
interface Endpoint {
  readonly controllers: Type[]
}

const ENDPOINT = Symbol('service-signature:endpoint')

const { ConfigurableModuleClass, MODULE_OPTIONS_TOKEN } =
  new ConfigurableModuleBuilder<ServiceSignatureOptions>({ moduleName: 'ServiceSignature' })
    .setClassMethodName('forRoot')
    .setExtras<ServiceSignatureModuleExtras>({ path: undefined }, (definition, { path }) => {
      const endpoint: Endpoint = { controllers: path === undefined ? [] : [endpointAt(path)] }
      return {
        ...definition,
        ...endpoint,
        global: true,
        providers: [...definition.providers!, { provide: ENDPOINT, useValue: endpoint }],
      }
    })
    .build()

/**
 * Verifies the payment service's webhooks. Imported once, in the module of the application:
 * `forRoot(options)`, or `forRootAsync({ imports, inject, useFactory })` for options that come from other
 * providers.
 *
 * @example
 * @Module({
 *   imports: [ServiceSignatureModule.forRoot({ path: 'webhooks', secret: process.env.WEBHOOK_SECRET })],
 *   providers: [PaymentsService],
 * })
 * export class AppModule {}
 */
@Module({
  imports: [DiscoveryModule],
  providers: [
    WebhookDispatcher,
    {
      provide: DeliveryIntake,
      inject: [MODULE_OPTIONS_TOKEN, ENDPOINT, WebhookDispatcher],
      useFactory: (
        options: ServiceSignatureOptions,
        { controllers }: Endpoint,
        dispatcher: WebhookDispatcher,
      ) => new DeliveryIntake(controllers.length === 0 ? options : { dispatcher, ...options }),
    },
  ],
  exports: [WebhookDispatcher, DeliveryIntake],
})
export class ServiceSignatureModule extends ConfigurableModuleClass implements NestModule, OnModuleInit {
  private readonly options: ServiceSignatureOptions
  private readonly endpoint: Endpoint
  private readonly intake: DeliveryIntake
  private readonly dispatcher: WebhookDispatcher
  private readonly host: HttpAdapterHost
  private readonly discovery: DiscoveryService
  private readonly scanner: MetadataScanner

  constructor(
    @Inject(MODULE_OPTIONS_TOKEN) options: ServiceSignatureOptions,
    @Inject(ENDPOINT) endpoint: Endpoint,
    @Inject(DeliveryIntake) intake: DeliveryIntake,
    @Inject(WebhookDispatcher) dispatcher: WebhookDispatcher,
    @Inject(HttpAdapterHost) host: HttpAdapterHost,
    @Inject(DiscoveryService) discovery: DiscoveryService,
    @Inject(MetadataScanner) scanner: MetadataScanner,
  ) {
    super()
    this.options = options
    this.endpoint = endpoint
    this.intake = intake
    this.dispatcher = dispatcher
    this.host = host
    this.discovery = discovery
    this.scanner = scanner
  }

  /**
   * Places the intake before the body parsers. Nest calls it when those are registered and the routes are not, and
   * only in an application that serves HTTP.
   *
   * @throws {TypeError} if a route is guarded that could not get its deliveries
   */
  configure(): void {
    const controllers = this.discovery.getControllers().map(({ metatype }) => metatype as Type)
    const guarded = markGuardedRoutes(controllers, this.scanner)
    const [own] = this.endpoint.controllers
    const other = guarded.find((controller) => controller !== own)
    if (own !== undefined && other !== undefined) {
      throw new TypeError(
        `ServiceSignatureModule has a "path", so it dispatches every delivery, and ${other.name} would get ` +
          'none. Leave out "path", or @ServiceSignature() there',
      )
    }
    const { httpAdapter } = this.host
    const app: unknown = httpAdapter.getInstance()
    if (INSTALLED.has(app as object)) {
      throw new TypeError(
        'ServiceSignatureModule is imported twice. Import it once, in the module of the application; for ' +
          'several accounts, let "secret" be a function of the request',
      )
    }
    INSTALLED.add(app as object)
    if (httpAdapter.getType() === 'fastify') takeBeforeParsing(app as FastifyApplication, this.intake)
    else takeBeforeParsers(app as ExpressApplication, this.intake)
  }

  /** @throws {TypeError} if there are handlers that would not be called */
  onModuleInit(): void {
    if (this.options.dispatcher === undefined || !this.dispatcher.hasHandlers) return
    throw new TypeError(
      'The "dispatcher" takes every delivery from the @OnWebhook() methods. Leave out one of them',
    )
  }
}

/** The applications that receive deliveries. */
const INSTALLED = new WeakSet()

/** @returns a class of its own for each path: two applications may be in one process */
function endpointAt(path: string): Type {
  @Controller(path)
  @ServiceSignature()
  class WebhookEndpoint {
    @Post()
    @HttpCode(204)
    receive(): void {
      // The receiver has a dispatcher, and answers.
    }
  }
  return WebhookEndpoint
}
