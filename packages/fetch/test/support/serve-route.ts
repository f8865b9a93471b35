import { listen, type Running } from '@service-signature/contract'
import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'

/** A function that answers requests, like the route handlers of Next. */
export type Route = (request: Request) => Promise<Response>

/** How long the rest of an unread body may be silent. */
const GRACE_MS = 300

/** Runs a route on Node's own server, the way hosts do that have no other: the route sees no connection. */
export async function serveRoute(route: Route): Promise<Running> {
  return listen(async (req, res) => {
    const answer = await route(requestOf(req, res)).catch(() => new Response('failed', { status: 500 }))
    const body = Buffer.from(await answer.arrayBuffer())
    const length = answer.status === 204 ? {} : { 'Content-Length': body.length }
    res.writeHead(answer.status, { ...Object.fromEntries(answer.headers), ...length })
    res.end(body)
    if (req.complete) return
    await once(res, 'close')
    await drop(req)
  })
}

function requestOf(req: IncomingMessage, res: ServerResponse): Request {
  const gone = new AbortController()
  res.on('close', () => {
    if (!res.writableFinished) gone.abort()
  })
  const headers = new Headers()
  for (let index = 0; index < req.rawHeaders.length; index += 2) {
    headers.append(req.rawHeaders[index]!, req.rawHeaders[index + 1]!)
  }
  return new Request(`http://127.0.0.1${req.url!}`, {
    method: req.method!,
    headers,
    body: bodyOf(req),
    duplex: 'half',
    signal: gone.signal,
  })
}

function bodyOf(req: IncomingMessage): ReadableStream<Uint8Array> {
  // Cancelling the body must not destroy the connection, because the answer still has to be sent.
  const chunks = req.iterator({ destroyOnReturn: false }) as AsyncGenerator<Uint8Array, undefined>
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await chunks.next()
        if (done === true) controller.close()
        else controller.enqueue(value)
      },
      async cancel() {
        await chunks.return(undefined)
      },
    },
    { highWaterMark: 0 },
  )
}

/** Reads the bytes that are on their way, so that they do not reset the connection, and then closes it. */
async function drop(req: IncomingMessage): Promise<void> {
  const timer = setTimeout(() => {
    req.socket.destroySoon()
  }, GRACE_MS)
  req.on('data', () => timer.refresh())
  await once(req, 'close')
  clearTimeout(timer)
}
