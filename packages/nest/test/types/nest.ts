// Compiled with the workspace (npm run types), never run: how the decorators and the options fit together.
import { Controller, Post } from '@nestjs/common'
import {
  createDispatcher,
  createVerifier,
  type DispatchedWebhook,
  type IntentEvent,
  type TransactionEvent,
  type VerifiedWebhook,
} from '@service-signature/core'
import {
  OnUnhandledWebhook,
  OnWebhook,
  ServiceSignature,
  ServiceSignatureModule,
  Webhook,
  type ServiceSignatureOptions,
} from '@service-signature/nest'

const secret = 'test_signature_key'

@Controller('webhooks')
@ServiceSignature()
export class WebhooksController {
  @Post()
  @ServiceSignature()
  receive(@Webhook() webhook: VerifiedWebhook, @Webhook('event') event: VerifiedWebhook['event']): unknown {
    return [webhook, event]
  }

  // @ts-expect-error: a delivery has no such part
  parts(@Webhook('body') body: unknown): unknown {
    return body
  }

  @OnWebhook('transaction.purchase.successful')
  paid({ payload, signedAt }: DispatchedWebhook<TransactionEvent>): unknown {
    return [payload.intent.id, signedAt]
  }

  @OnWebhook('transaction.refund.successful')
  @OnWebhook('intent.*')
  both({ payload }: DispatchedWebhook<IntentEvent | TransactionEvent>): unknown {
    return payload
  }

  @OnWebhook('intent.*')
  withoutParameter(): void {
    this.paid.toString()
  }

  // @ts-expect-error: an intent is not a transaction
  @OnWebhook('intent.*')
  mismatched({ payload }: DispatchedWebhook<TransactionEvent>): unknown {
    return payload
  }

  @OnUnhandledWebhook()
  unhandled({ event }: DispatchedWebhook): unknown {
    return event.shape
  }

  // @ts-expect-error: there may be any event
  @OnUnhandledWebhook()
  unhandledIntent({ payload }: DispatchedWebhook<IntentEvent>): unknown {
    return payload
  }

  // @ts-expect-error: not a method
  @OnWebhook('intent.*')
  readonly field = 1
}

ServiceSignatureModule.forRoot({ secret, path: 'webhooks' })
ServiceSignatureModule.forRoot({ verifier: createVerifier({ secret }), dispatcher: createDispatcher() })
ServiceSignatureModule.forRoot({
  secret: ({ request }) => (request.url === '/berlin' ? [secret] : null),
  onRejected: ({ code }, { request }) => [code, request.ip, request.headers['user-agent']],
})
ServiceSignatureModule.forRootAsync({
  path: 'webhooks',
  inject: ['SECRET'],
  useFactory: (injected: string): ServiceSignatureOptions => ({ secret: injected }),
})
// @ts-expect-error: misspelled
ServiceSignatureModule.forRoot({ secret, bodylimit: 5 })
