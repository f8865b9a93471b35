// Compiled with the workspace (npm run types), never run: how the adapter fits the types of AWS Lambda.
import middy from '@middy/core'
import { createDispatcher, createVerifier, type VerifiedWebhook } from '@service-signature/core'
import {
  serviceSignature,
  type CompleteResponse,
  type LambdaContext,
  type LambdaEvent,
  type LambdaHandler,
  type ServiceSignatureOptions,
} from '@service-signature/lambda'
import type {
  ALBEvent,
  ALBHandler,
  APIGatewayProxyEvent,
  APIGatewayProxyEventV2,
  APIGatewayProxyEventV2WithIAMAuthorizer,
  APIGatewayProxyHandler,
  APIGatewayProxyHandlerV2,
  APIGatewayProxyResult,
  Context,
  Handler,
  LambdaFunctionURLEvent,
  LambdaFunctionURLHandler,
  SQSHandler,
} from 'aws-lambda'
import { is, type Equal } from '../../../core/test/types/assert.js'

const secret = 'test_signature_key'
const dispatcher = createDispatcher()

// One handler for all forms.
const any = serviceSignature({ secret }, (webhook, event, context) => {
  is<Equal<typeof webhook, VerifiedWebhook>>()
  is<Equal<typeof event, LambdaEvent>>()
  is<Equal<typeof context, LambdaContext>>()
  if ('rawPath' in event) return { statusCode: 202, body: event.requestContext.http.sourceIp }
  return event.path
})
is<Equal<typeof any, LambdaHandler>>()
is<Equal<Awaited<ReturnType<typeof any>>, CompleteResponse>>()
export const all: [
  APIGatewayProxyHandler,
  APIGatewayProxyHandlerV2,
  LambdaFunctionURLHandler,
  ALBHandler,
  Handler<APIGatewayProxyEventV2WithIAMAuthorizer, APIGatewayProxyResult>,
] = [any, any, any, any, any]

const whole = serviceSignature({ secret, dispatcher })
is<Equal<typeof whole, LambdaHandler>>()
export const allWhole: [
  APIGatewayProxyHandler,
  APIGatewayProxyHandlerV2,
  LambdaFunctionURLHandler,
  ALBHandler,
] = [whole, whole, whole, whole]

// The type of the handler determines the type of its event.
export const rest: APIGatewayProxyHandler = serviceSignature({ secret }, (_webhook, event, context) => {
  is<Equal<typeof event, APIGatewayProxyEvent>>()
  is<Equal<typeof context, Context>>()
  return { statusCode: 200, multiValueHeaders: { Allow: ['POST'] }, body: event.requestContext.stage }
})
export const http: APIGatewayProxyHandlerV2 = serviceSignature({ secret }, async (_webhook, event) => {
  is<Equal<typeof event, APIGatewayProxyEventV2>>()
  return Promise.resolve({ statusCode: 200, cookies: [event.rawPath] })
})
export const url: LambdaFunctionURLHandler = serviceSignature({ secret }, (_webhook, event) => {
  is<Equal<typeof event, LambdaFunctionURLEvent>>()
})
export const balanced: ALBHandler = serviceSignature({ secret }, (_webhook, event) => {
  is<Equal<typeof event, ALBEvent>>()
  return { statusCode: 200, statusDescription: event.requestContext.elb.targetGroupArn }
})
// So do the types of its parameters.
export const named = serviceSignature(
  {
    secret: ({ request }) => (request.isBase64Encoded ? [secret] : null),
    onVerified: (webhook, { request }) => [webhook.event.shape, request.headers],
    onRejected: ({ code }, { request, header, body }) => [code, request.isBase64Encoded, header, body],
  },
  (_webhook, event: APIGatewayProxyEvent, context: Context) => `${event.resource} ${context.logGroupName}`,
)

// middy adds a third argument, and middlewares; without a handler it needs the type of the event.
const wrapped: APIGatewayProxyHandlerV2 = middy(
  serviceSignature({ secret }, (_webhook, event: APIGatewayProxyEventV2) => event.rawPath),
)
const added = middy<APIGatewayProxyEventV2>().handler(serviceSignature({ secret, dispatcher }))
void [wrapped, added]

// As the parser of Powertools infers the events from its schemas.
interface PowertoolsEvent {
  readonly resource: string
  readonly path: string
  readonly httpMethod: 'GET' | 'POST'
  readonly headers?: Record<string, string> | null | undefined
  readonly multiValueHeaders?: Record<string, string[]> | null | undefined
  readonly requestContext: { readonly accountId: string }
  readonly body: string | null
  readonly isBase64Encoded: boolean
}
export const parsed = serviceSignature({ secret }, (_webhook, event: PowertoolsEvent) => event.httpMethod)

const nothing = (): void => undefined
const later = async (): Promise<void> => {
  await Promise.resolve()
}
serviceSignature({ verifier: createVerifier({ secret }) }, nothing)
serviceSignature({ verifier: createVerifier({ secret }) }, later)
const options: ServiceSignatureOptions = { secret, bodyLimit: 5 }
void options

// @ts-expect-error: neither a handler nor a dispatcher
serviceSignature({ secret })
// @ts-expect-error: both a handler and a dispatcher
serviceSignature({ secret, dispatcher }, nothing)
// @ts-expect-error: misspelled
serviceSignature({ secret, bodylimit: 5 }, nothing)
// @ts-expect-error: not a response, although format 2.0 would take it for a 200
serviceSignature({ secret }, () => ({ status: 500 }))
// @ts-expect-error: a body is text
serviceSignature({ secret }, () => ({ statusCode: 200, body: { ok: true } }))
// @ts-expect-error: not a request
export const queued: SQSHandler = any
