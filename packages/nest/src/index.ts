/**
 * Verifies the payment service's webhooks in Nest 10, 11 and 12, on Express and on Fastify.
 *
 * @module nest
 */
export type { ServiceSignatureOptions, WebhookRequest } from './delivery-intake.js'
export { OnUnhandledWebhook, OnWebhook, WebhookDispatcher, type DecoratorFor } from './on-webhook.js'
export { ServiceSignature } from './service-signature-decorator.js'
export {
  ServiceSignatureModule,
  type ServiceSignatureModuleAsyncOptions,
  type ServiceSignatureModuleExtras,
} from './service-signature-module.js'
export { unparsed } from './unparsed.js'
export { WebhookException } from './webhook-exception.js'
export { Webhook, type WebhookPart } from './webhook-parameter.js'
