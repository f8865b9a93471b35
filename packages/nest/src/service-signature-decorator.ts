import {
  applyDecorators,
  Inject,
  Injectable,
  SetMetadata,
  UseGuards,
  UseInterceptors,
  type CallHandler,
  type CanActivate,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common'
import { HttpAdapterHost } from '@nestjs/core'
import { of, type Observable } from 'rxjs'
import { DeliveryIntake, type WebhookRequest, type WebhookResponse } from './delivery-intake.js'
import { GUARDED } from './guarded-routes.js'
import { exceptionFor } from './webhook-exception.js'

/**
 * Guards a controller or a method: only valid deliveries reach it. The method answers 2xx when the event is
 * safe with you; after anything else, an exception included, the sender retries.
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
  return applyDecorators(
    SetMetadata(GUARDED, true),
    UseGuards(ServiceSignatureGuard),
    UseInterceptors(ServiceSignatureInterceptor),
  )
}

/** Verifies the delivery. It throws a `WebhookException` for one that is refused. */
@Injectable()
export class ServiceSignatureGuard implements CanActivate {
  private readonly intake: DeliveryIntake
  private readonly host: HttpAdapterHost

  constructor(
    @Inject(DeliveryIntake) intake: DeliveryIntake,
    @Inject(HttpAdapterHost) host: HttpAdapterHost,
  ) {
    this.intake = intake
    this.host = host
  }

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const type = context.getType<string>()
    if (type !== 'http') {
      throw new TypeError(
        `@ServiceSignature() guards HTTP routes only, but ${context.getClass().name} handles "${type}"`,
      )
    }
    const { request, response } = exchangeOf(context)
    const delivery = await this.intake.deliveryOf(request, response)
    try {
      request.webhook = await delivery.verify()
    } catch (error) {
      throw exceptionFor(error, response, this.host)
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
  private readonly intake: DeliveryIntake
  private readonly host: HttpAdapterHost

  constructor(
    @Inject(DeliveryIntake) intake: DeliveryIntake,
    @Inject(HttpAdapterHost) host: HttpAdapterHost,
  ) {
    this.intake = intake
    this.host = host
  }

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const { request, response } = exchangeOf(context)
    const delivery = await this.intake.deliveryOf(request, response)
    let status: number | undefined
    try {
      status = await delivery.start()
    } catch (error) {
      throw exceptionFor(error, response, this.host)
    }
    if (status === undefined) return next.handle()
    const { httpAdapter } = this.host
    if (answersItself(context)) httpAdapter.reply(response, undefined, status)
    else httpAdapter.status(response, status)
    return of(undefined)
  }
}

function exchangeOf(context: ExecutionContext): {
  readonly request: WebhookRequest
  readonly response: WebhookResponse
} {
  const http = context.switchToHttp()
  return { request: http.getRequest(), response: http.getResponse() }
}

// Names of @nestjs/common/constants, which is not one of Nest's public entries. The parameters of a method
// have keys such as "1:0": their kind (1 is @Res(), 2 is @Next()) and their place.
const ROUTE_ARGUMENTS = '__routeArguments__'
const RESPONSE_PASSTHROUGH = '__responsePassthrough__'

/** Whether Nest leaves the answer to the method, because it takes @Res() or @Next(). */
function answersItself(context: ExecutionContext): boolean {
  const controller = context.getClass()
  const { name } = context.getHandler()
  if (Reflect.getMetadata(RESPONSE_PASSTHROUGH, controller, name) === true) return false
  const parameters = Reflect.getMetadata(ROUTE_ARGUMENTS, controller, name) as object | undefined
  return Object.keys(parameters ?? {}).some((key) => /^[12]:/.test(key))
}
