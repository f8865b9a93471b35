import {
  applyDecorators,
  Catch,
  HttpException,
  Inject,
  Injectable,
  SetMetadata,
  UseFilters,
  UseGuards,
  UseInterceptors,
  type ArgumentsHost,
  type CallHandler,
  type CanActivate,
  type ExceptionFilter,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common'
import { HttpAdapterHost } from '@nestjs/core'
import type { AnswerStatus, VerifiedReception } from '@service-signature/core/receiver'
import { catchError, Observable, of, Subscription } from 'rxjs'
import { DeliveryIntake, type WebhookRequest, type WebhookResponse } from './delivery-intake.js'
import { exceptionFor } from './webhook-exception.js'

/** Metadata key on guarded controllers and methods. */
const GUARDED = Symbol('service-signature:guarded')
/** Metadata key on the controller of the module's own, whose method never runs, and takes no `@Res()`. */
const ENDPOINT = Symbol('service-signature:endpoint')

/**
 * Guards a controller or a method: only valid deliveries reach it. The method answers 2xx when the event is
 * safe with you; after anything else, an exception included, the sender can retry.
 *
 * @example
 * @Controller('webhooks')
 * export class WebhooksController {
 *   @Post()
 *   @HttpCode(204)
 *   @ServiceSignature()
 *   receive(@Webhook() webhook: VerifiedWebhook) {}
 * }
 */
export function ServiceSignature(): ClassDecorator & MethodDecorator {
  // Never the guard alone: without the interceptor, a delivery would be neither dispatched nor recorded as handled.
  return applyDecorators(
    SetMetadata(GUARDED, true),
    UseGuards(ServiceSignatureGuard),
    UseInterceptors(ServiceSignatureInterceptor),
    UseFilters(AnsweredFilter),
  )
}

/** Guards the controller of the module's own. */
export function ServiceSignatureEndpoint(): ClassDecorator {
  return applyDecorators(SetMetadata(ENDPOINT, true), ServiceSignature())
}

/** Whether a class or a method has {@link ServiceSignature}. */
export function isGuarded(target: object): boolean {
  return Reflect.getMetadata(GUARDED, target) === true
}

/** Whether a class is the controller of the module's own. */
export function isEndpoint(controller: object): boolean {
  return Reflect.getMetadata(ENDPOINT, controller) === true
}

/** Verifies the delivery. It throws a `WebhookException` for one that is refused. */
@Injectable()
class ServiceSignatureGuard implements CanActivate {
  readonly #intake: DeliveryIntake
  readonly #host: HttpAdapterHost

  constructor(
    @Inject(DeliveryIntake) intake: DeliveryIntake,
    @Inject(HttpAdapterHost) host: HttpAdapterHost,
  ) {
    this.#intake = intake
    this.#host = host
  }

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const type = context.getType<string>()
    if (type !== 'http') {
      throw new TypeError(
        `@ServiceSignature() guards HTTP routes only, but ${context.getClass().name} handles "${type}"`,
      )
    }
    const { request, response } = exchangeOf(context)
    try {
      const { webhook } = await this.#intake.of(request, response).verify()
      request.webhook = webhook
    } catch (error) {
      throw exceptionFor(error, response, this.#host)
    }
    return true
  }
}

/**
 * Runs after all guards, so that a delivery which another one refuses is neither remembered nor dispatched.
 * Answers a delivery that was handled before, and one that the dispatcher has handled, without the route's
 * own method.
 */
@Injectable()
class ServiceSignatureInterceptor implements NestInterceptor {
  readonly #intake: DeliveryIntake
  readonly #host: HttpAdapterHost

  constructor(
    @Inject(DeliveryIntake) intake: DeliveryIntake,
    @Inject(HttpAdapterHost) host: HttpAdapterHost,
  ) {
    this.#intake = intake
    this.#host = host
  }

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const { request, response } = exchangeOf(context)
    const intake = this.#intake.of(request, response)
    let status: AnswerStatus | undefined
    try {
      status = await intake.start()
    } catch (error) {
      throw exceptionFor(error, response, this.#host)
    }
    if (status === undefined) {
      const failed = async (error: unknown): Promise<never> => {
        throw exceptionFor(await intake.failed(error), response, this.#host)
      }
      return runBy(await intake.verify(), () => next.handle().pipe(catchError(failed)))
    }
    // If the method takes @Res(), Nest sends nothing that an interceptor returns.
    if (!isEndpoint(context.getClass())) throw new Answered(status)
    this.#host.httpAdapter.status(response, status)
    return of(undefined)
  }
}

/** Nest calls the method when it subscribes. */
function runBy(
  delivery: Pick<VerifiedReception<never>, 'run'>,
  handle: () => Observable<unknown>,
): Observable<unknown> {
  return new Observable((subscriber) => {
    const running = new Subscription()
    delivery.run(() => {
      running.add(handle().subscribe(subscriber))
    })
    return running
  })
}

/** Ends a request in place of the route's own method. An `HttpException`, so that filters for every exception keep its status. */
class Answered extends HttpException {
  constructor(status: AnswerStatus) {
    super('', status)
  }
}

@Catch(Answered)
class AnsweredFilter implements ExceptionFilter<Answered> {
  readonly #host: HttpAdapterHost

  constructor(@Inject(HttpAdapterHost) host: HttpAdapterHost) {
    this.#host = host
  }

  catch(answered: Answered, context: ArgumentsHost): void {
    this.#host.httpAdapter.reply(context.switchToHttp().getResponse(), undefined, answered.getStatus())
  }
}

function exchangeOf(context: ExecutionContext): {
  readonly request: WebhookRequest
  readonly response: WebhookResponse
} {
  const http = context.switchToHttp()
  return { request: http.getRequest(), response: http.getResponse() }
}
