/**
 * Verifies the payment service's webhooks in Nest 10, 11 and 12, on Express and on Fastify.
 *
 * @module nest
 */
export type { ServiceSignatureOptions, WebhookRequest } from './delivery-intake.js'
export { OnUnhandledWebhook, OnWebhook, WebhookDispatcher, type DecoratorFor } from './on-webhook.js'
export { ServiceSignature, ServiceSignatureGuard } from './service-signature-decorator.js'
export { ServiceSignatureModule, type ServiceSignatureModuleExtras } from './service-signature-module.js'
export { WebhookException } from './webhook-exception.js'
export { Webhook, type WebhookPart } from './webhook-parameter.js'
