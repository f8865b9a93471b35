/** A request of API Gateway in payload format 1.0: of a REST API, or of an HTTP API that is set to it. */
export interface ApiGatewayEvent extends RequestEvent {
  readonly httpMethod: string
  readonly path: string
}

/** A request in payload format 2.0: an HTTP API of API Gateway, or a function URL. */
export interface HttpEvent extends RequestEvent {
  readonly version: string
  readonly rawPath: string
  readonly requestContext: { readonly http: { readonly method: string; readonly sourceIp: string } }
}

/** A request as an Application Load Balancer hands it over: with `headers`, or with `multiValueHeaders`. */
export interface LoadBalancerEvent extends RequestEvent {
  readonly httpMethod: string
  readonly path: string
  readonly requestContext: { readonly elb: { readonly targetGroupArn: string } }
}

/** The members that all formats share. The types of `@types/aws-lambda` have more members, and are assignable. */
interface RequestEvent {
  readonly headers?: Readonly<Record<string, string | undefined>> | null | undefined
  readonly multiValueHeaders?: Readonly<Record<string, readonly string[] | undefined>> | null | undefined
  readonly body?: string | null | undefined
  readonly isBase64Encoded: boolean
  readonly requestContext: object
}

/** The events that the adapter accepts. */
export type LambdaEvent = ApiGatewayEvent | HttpEvent | LoadBalancerEvent

/** The format of an event, which is also the format of its response. */
export type Form = 'payload 1.0' | 'payload 2.0' | 'load balancer' | 'load balancer with lists'

/** @throws {TypeError} if it is not a request: a mistake in the setup of the function, and not of a sender */
export function formOf(event: unknown): Form {
  const { version, httpMethod, requestContext, multiValueHeaders, isBase64Encoded } = membersOf(event)
  const { elb, http } = membersOf(requestContext)
  // All requests have this member. The event of an authorizer is similar, but does not.
  if (typeof isBase64Encoded === 'boolean') {
    if (isObject(elb)) return isObject(multiValueHeaders) ? 'load balancer with lists' : 'load balancer'
    if (version === '2.0' && isObject(http)) return 'payload 2.0'
    if (typeof httpMethod === 'string') return 'payload 1.0'
  }
  throw new TypeError(
    'serviceSignature: expected a request of API Gateway (payload format 1.0 or 2.0), a function URL or an ' +
      'Application Load Balancer. In a REST API, choose a Lambda proxy integration; events of queues, ' +
      'topics and schedules are not signed',
  )
}

/**
 * All values of a header. Format 1.0 keeps only the last of them in `headers`, and in a REST API names that
 * differ in case are different names.
 */
export function headerValues(
  { headers, multiValueHeaders }: LambdaEvent,
  lowerCaseName: string,
): readonly string[] {
  const all = valuesIn(multiValueHeaders, lowerCaseName)
  return all.length > 0 ? all : valuesIn(headers, lowerCaseName)
}

function valuesIn(
  headers: LambdaEvent['headers'] | LambdaEvent['multiValueHeaders'],
  lowerCaseName: string,
): readonly string[] {
  return Object.entries<string | readonly string[] | undefined>(headers ?? {})
    .filter(([name]) => name.toLowerCase() === lowerCaseName)
    .flatMap(([, value]) => value ?? [])
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? value : {}
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}
