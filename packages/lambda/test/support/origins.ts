import type { LambdaEvent } from '@service-signature/lambda'
import { readFileSync } from 'node:fs'

/** A request as it arrived. */
export interface WholeRequest {
  /** Each line of the head. */
  readonly lines: readonly (readonly [name: string, value: string])[]
  readonly body: Buffer
}

/** A service of AWS that makes an event of a request, as documented, and answers with the result of the function. */
export interface Origin {
  readonly name: string
  readonly eventOf: (request: WholeRequest) => LambdaEvent
  /** The status, the lines of the head, and the body that the sender gets. */
  readonly answerOf: (returned: unknown) => Answer
}

export interface Answer {
  readonly status: number
  readonly lines: readonly (readonly [name: string, value: string])[]
  readonly body: Buffer
}

type Lines = WholeRequest['lines']
type Rest = 'headers' | 'multiValueHeaders' | 'body' | 'isBase64Encoded'

/** Whether a request is passed on as text, in which bytes that are not UTF-8 are replaced and lost. */
type IsText = (lines: Lines) => boolean

/** A REST API passes on text, unless `binaryMediaTypes` contains the content type. */
export function restApi(isBinary: boolean): Origin {
  return {
    name: isBinary ? 'a REST API with binary media types' : 'a REST API',
    eventOf: ({ lines, body }) => ({
      ...recorded('api-gateway-rest'),
      headers: lastOf(lines),
      multiValueHeaders: allOf(lines),
      ...bodyOf(body, isBinary ? () => false : () => true, lines, null),
    }),
    answerOf: answerOfVersion1,
  }
}

export const httpApiVersion1: Origin = {
  name: 'an HTTP API with payload format 1.0',
  eventOf({ lines, body }) {
    return {
      ...recorded('api-gateway-http-1.0'),
      headers: lastOf(lines),
      multiValueHeaders: allOf(lines),
      ...bodyOf(body, isTextType, lines, null),
    }
  },
  answerOf: answerOfVersion1,
}

export const httpApi: Origin = {
  name: 'an HTTP API',
  eventOf: ({ lines, body }) => version2('api-gateway-http-2.0', lines, body),
  answerOf: answerOfVersion2,
}

export const functionUrl: Origin = {
  name: 'a function URL',
  eventOf: ({ lines, body }) => version2('function-url', lines, body),
  answerOf: answerOfVersion2,
}

/** It passes on only the last line of a name, unless its target group has multi-value headers. */
export const loadBalancer: Origin = {
  name: 'a load balancer',
  eventOf: ({ lines, body }) => ({
    ...recorded('load-balancer'),
    headers: lastOf(inLowerCase(lines)),
    ...bodyOf(body, isTextToLoadBalancer, lines, ''),
  }),
  answerOf(returned) {
    const { headers, ...response } = loadBalancerResponse(returned)
    return answer(response, entriesOf(headers))
  },
}

export const loadBalancerMultiValue: Origin = {
  name: 'a load balancer with multi-value headers',
  eventOf: ({ lines, body }) => ({
    ...recorded('load-balancer-multi-value'),
    multiValueHeaders: allOf(inLowerCase(lines)),
    ...bodyOf(body, isTextToLoadBalancer, lines, ''),
  }),
  answerOf(returned) {
    const { multiValueHeaders, ...response } = loadBalancerResponse(returned)
    return answer(response, entriesOf(multiValueHeaders))
  },
}

/** A complete event of a POST without a body, with all members that AWS adds. */
export function recorded(name: string): Omit<LambdaEvent, Rest> & LambdaEvent {
  return JSON.parse(readFileSync(new URL(`../events/${name}.json`, import.meta.url), 'utf8')) as LambdaEvent
}

function version2(name: string, lines: Lines, body: Buffer): LambdaEvent {
  const joined: Record<string, string> = {}
  for (const [name, value] of inLowerCase(lines)) {
    joined[name] = joined[name] === undefined ? value : `${joined[name]},${value}`
  }
  return { ...recorded(name), headers: joined, ...bodyOf(body, isTextType, lines, undefined) }
}

function bodyOf<None extends string | null | undefined>(
  body: Buffer,
  isText: IsText,
  lines: Lines,
  none: None,
): { readonly body: string | None; readonly isBase64Encoded: boolean } {
  if (body.length === 0) return { body: none, isBase64Encoded: false }
  return isText(lines)
    ? { body: body.toString('utf8'), isBase64Encoded: false }
    : { body: body.toString('base64'), isBase64Encoded: true }
}

function isTextType(lines: Lines): boolean {
  const type = lastOf(inLowerCase(lines))['content-type'] ?? ''
  return /^(text\/.+|application\/(json|javascript|xml)) *(;|$)/.test(type)
}

function isTextToLoadBalancer(lines: Lines): boolean {
  return lastOf(inLowerCase(lines))['content-encoding'] === undefined && isTextType(lines)
}

function inLowerCase(lines: Lines): Lines {
  return lines.map(([name, value]) => [name.toLowerCase(), value])
}

function lastOf(lines: Lines): Record<string, string> {
  return Object.fromEntries(lines)
}

function allOf(lines: Lines): Record<string, string[]> {
  const all: Record<string, string[]> = {}
  for (const [name, value] of lines) (all[name] ??= []).push(value)
  return all
}

interface ProxyResponse {
  readonly statusCode: number
  readonly statusDescription?: string
  readonly headers?: Readonly<Record<string, unknown>>
  readonly multiValueHeaders?: Readonly<Record<string, readonly unknown[]>>
  readonly cookies?: readonly string[]
  readonly body?: string
  readonly isBase64Encoded?: boolean
}

function answerOfVersion1(returned: unknown): Answer {
  const { headers, multiValueHeaders, ...response } = proxyResponse(returned)
  return answer(response, [...entriesOf(headers), ...entriesOf(multiValueHeaders)])
}

function answerOfVersion2(returned: unknown): Answer {
  const { headers, cookies = [], ...response } = proxyResponse(returned)
  return answer(response, [
    ...entriesOf(headers),
    ...cookies.map((cookie) => ['Set-Cookie', cookie] as const),
  ])
}

function loadBalancerResponse(returned: unknown): ProxyResponse {
  const response = proxyResponse(returned)
  if (!/^\d{3} \S/.test(response.statusDescription ?? '')) throw new Error('there is no status description')
  return response
}

/** Unlike format 2.0, this does not treat a result without a status as a 200: no answer may depend on that. */
function proxyResponse(returned: unknown): ProxyResponse {
  const response = returned as ProxyResponse
  if (!Number.isInteger(response.statusCode)) throw new Error('there is no status')
  if (typeof response.body !== 'string') throw new Error('there is no body')
  return response
}

function entriesOf(headers: ProxyResponse['headers'] = {}): Answer['lines'] {
  return Object.entries(headers).flatMap(([name, values]) =>
    [values].flat().map((value) => [name, String(value)] as const),
  )
}

function answer({ statusCode, body = '', isBase64Encoded }: ProxyResponse, lines: Answer['lines']): Answer {
  return {
    status: statusCode,
    lines,
    body: Buffer.from(body, isBase64Encoded === true ? 'base64' : 'utf8'),
  }
}
