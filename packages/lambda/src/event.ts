/** A request as API Gateway hands it over in payload format 1.0: every REST API, and an HTTP API that is set to it. */
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

/** What all forms have. Types of others (`@types/aws-lambda`) say more, and fit. */
interface RequestEvent {
  readonly headers?: Readonly<Record<string, string | undefined>> | null | undefined
  readonly multiValueHeaders?: Readonly<Record<string, readonly string[] | undefined>> | null | undefined
  readonly body?: string | null | undefined
  readonly isBase64Encoded: boolean
  readonly requestContext: object
}

/** What the adapter understands. */
export type LambdaEvent = ApiGatewayEvent | HttpEvent | LoadBalancerEvent

/** What an event looks like, and what its answer has to look like. */
export type Form = 'payload 1.0' | 'payload 2.0' | 'load balancer' | 'load balancer with lists'

/** @throws {TypeError} where it is none: whoever set that up has made a mistake, and no sender has */
export function formOf(event: unknown): Form {
  const { version, httpMethod, requestContext, multiValueHeaders, isBase64Encoded } = membersOf(event)
  const { elb, http } = membersOf(requestContext)
  // All that carry a request say it. An event for an authorizer is like them, and carries none.
  if (typeof isBase64Encoded === 'boolean') {
    if (isObject(elb)) return isObject(multiValueHeaders) ? 'load balancer with lists' : 'load balancer'
    if (version === '2.0' && isObject(http)) return 'payload 2.0'
    if (typeof httpMethod === 'string') return 'payload 1.0'
  }
  throw new TypeError(
    'serviceSignature understands the requests of API Gateway (payload formats 1.0 and 2.0), of function URLs and of ' +
      'Application Load Balancers, and this event is none of them. In a REST API, choose a Lambda proxy integration; ' +
      'what comes from a queue, a topic or a schedule carries no signature',
  )
}

/**
 * All values of a header. Format 1.0 keeps only the last of them in `headers`; and what differs in case is, in a REST API,
 * another name.
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
