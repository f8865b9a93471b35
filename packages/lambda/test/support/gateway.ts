import { listen, type Running } from '@service-signature/contract'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import type { Origin, WholeRequest } from './origins.js'

/** A function, called the way Lambda does. */
export type Invoke = (event: never, context: never) => Promise<unknown>

/** The context of an invocation. */
export const context = {
  callbackWaitsForEmptyEventLoop: true,
  functionName: 'webhooks',
  awsRequestId: 'c6af9ac6-7b61-11e6-9a41-93e8deadbeef',
  getRemainingTimeInMillis: () => 3000,
}

/**
 * A gateway in front of a function: reads a complete request, makes an event of it, and writes the result of the
 * function. An invocation that fails is answered with 500; so do HTTP APIs, and the others with 502.
 */
export function startGateway(origin: Origin, invoke: Invoke): Promise<Running> {
  return listen((req, res) => {
    answer(origin, invoke, req, res).catch(() => {
      res.writeHead(500, { 'Content-Length': 0 }).end()
    })
  })
}

async function answer(
  { eventOf, answerOf }: Origin,
  invoke: Invoke,
  req: IncomingMessage,
  res: ServerResponse,
): Promise<void> {
  const event = throughJson(eventOf({ lines: linesOf(req), body: await buffer(req) }))
  const { status, lines, body } = answerOf(throughJson(await invoke(event as never, context as never)))
  for (const [name, value] of lines) res.appendHeader(name, value)
  if (status !== 204) res.setHeader('Content-Length', body.length)
  res.writeHead(status).end(body)
}

/** Events and responses are passed on as JSON. */
function throughJson(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value))
}

function linesOf({ rawHeaders }: IncomingMessage): WholeRequest['lines'] {
  const lines: [string, string][] = []
  for (let at = 0; at < rawHeaders.length; at += 2) lines.push([rawHeaders[at]!, rawHeaders[at + 1]!])
  return lines
}
