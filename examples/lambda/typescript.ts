import { serviceSignature } from '@service-signature/lambda'
import type { APIGatewayProxyHandlerV2 } from 'aws-lambda'

export const handler: APIGatewayProxyHandlerV2 = serviceSignature(
  { secret: process.env['WEBHOOK_SECRET'] ?? '' },
  (webhook, event) => ({ statusCode: 202, body: `${webhook.event.type} came to ${event.rawPath}` }),
)
