import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Http2ServerResponse } from 'node:http2'
import { Socket } from 'node:net'
import type { BodyLimits } from '../shared/body-limits.js'
import { declaredLength, readBody } from './node-body.js'

/** A request and its answer, as the host and as Node have them. */
export interface Exchange<Request> {
  /** The host's own request, for the hooks and for a `secret` that depends on it. */
  readonly request: Request
  readonly req: IncomingMessage
  readonly res: ServerResponse
}

/** What to do, in this host, if the body of a request was read before. */
export type Fix<Request> = string | ((request: Request) => string)

/** Reads the body of a request; on the objects that are passed, a parser may have left the bytes, as `rawBody` or `body`. */
export type ReadNodeBody = (...holders: readonly object[]) => Promise<Uint8Array>

/**
 * The head of a request in any host of Node. An object with closures: with a class of private fields, an endpoint of Fastify
 * takes 20 % more CPU.
 */
export function nodeHead<Host>({ request, req, res }: Exchange<Host>, limits: BodyLimits, fix: Fix<Host>) {
  const read: ReadNodeBody = (...holders) =>
    readBody(req, limits, holders, () => (typeof fix === 'string' ? fix : fix(request)))
  return {
    request,
    // Node joins repeated headers with a comma, and the grammar refuses duplicates.
    header: req.headers['service-signature'],
    encoding: req.headers['content-encoding'],
    readBody: read,
    // A small body of a request with a bad header is discarded, so that its connection stays usable. What fails later is
    // too large, late or read already.
    endRequest: (isHeaderValid: boolean) => refuseBody(req, res, isHeaderValid ? 0 : limits.bodyLimit),
    signal: () => senderLeft(res),
    watchAnswer: (ended: (status: number) => void) => watchAnswer(res, ended),
  }
}

function senderLeft(res: ServerResponse): AbortSignal {
  const gone = new AbortController()
  const onClose = () => {
    if (!res.writableEnded) gone.abort()
  }
  if (res.closed) onClose()
  else res.once('close', onClose)
  return gone.signal
}

/**
 * The end of the next handler's response. Not `finish` or `close`: those are about the connection, and a handler whose
 * sender has hung up keeps running, and may succeed.
 */
function watchAnswer(res: ServerResponse, ended: (status: number) => void): boolean {
  const end = res.end.bind(res) as (...args: readonly unknown[]) => ServerResponse
  res.end = (...args: readonly unknown[]) => {
    end(...args)
    ended(res.statusCode)
    return res
  }
  // Some hosts do not end an answer after the sender has left.
  return !res.closed
}

const DISCARD_MS = 100
const LINGER_MS = 2000

/**
 * Ends a request that is refused before its body was read, so that the answer can be sent now. Express and Hapi answer
 * with an error only after the body has ended, which a sender can delay without limit. A body up to the limit is discarded,
 * and the connection stays usable. Any other body is cut off, and the connection is closed after the answer.
 *
 * The names in the comments below are functions in the sources of Node, https://github.com/nodejs/node/tree/main/lib.
 */
export async function refuseBody(req: IncomingMessage, res: ServerResponse, limit: number): Promise<void> {
  if (req.complete) return
  if (req.httpVersionMajor > 1) {
    closeStreamAfterAnswer(res)
    return
  }
  const hasEnded = await discardSmall(req, limit)
  // A simulated request (Hapi's inject) has no connection to close.
  if (hasEnded || !(req.socket instanceof Socket)) return
  endForHost(req)
  closeAfterAnswer(req.socket, res)
}

/**
 * HTTP/2: the stream stays open until its body has ended, and the response emits `finish` only after that
 * (internal/http2/compat.js, onStreamCloseResponse), so the stream has to report that everything is written. Node
 * 22.23.3 and 26.10.0 drop the answer if the stream is closed in the same turn of the event loop.
 */
function closeStreamAfterAnswer(res: ServerResponse): void {
  const { stream } = res as unknown as Http2ServerResponse
  stream.once('finish', () => {
    setImmediate(() => stream.close())
  })
}

/** Waits until the body has ended (then it is true), is larger than the limit, is late, or will not end. */
async function discardSmall(req: IncomingMessage, limit: number): Promise<boolean> {
  if (req.destroyed || (declaredLength(req) ?? 0) > limit) return false
  return new Promise((resolve) => {
    // Not by stream.finished with a signal, which costs several times as much as to refuse the delivery.
    const stop = () => {
      clearTimeout(timer)
      req.off('data', count)
      resolve(req.complete)
    }
    let left = limit
    const count = (chunk: Uint8Array) => {
      left -= chunk.length
      if (left < 0) stop()
    }
    const timer = setTimeout(stop, DISCARD_MS)
    // They stay, because a request without a listener for errors could end the process.
    req.once('end', stop).once('error', stop).once('close', stop).on('data', count)
  })
}

/** Ends the request as the host sees it, and reads nothing more of it: the buffers of the sender fill up, not ours. */
function endForHost(req: IncomingMessage): void {
  // A paused socket gives nothing to the HTTP parser (_http_server.js, onSocketPause), which would add it after the end,
  // and so destroy the request and its connection.
  req.socket.pause()
  // A request that ends before it is complete is aborted, with its connection (_http_incoming.js, _destroy).
  // https://nodejs.org/api/http.html#messagecomplete
  req.complete = true
  req.push(null)
}

/**
 * Node closes the connection right after the last answer, and it resets a connection that has unread bytes. The reset
 * overtakes the answer. So the connection is closed for writing only; the bytes that still arrive are discarded until
 * the sender closes it too, or for a short time.
 */
function closeAfterAnswer(socket: Socket, res: ServerResponse): void {
  // Makes Node send `Connection: close`, and close the connection after this answer (_http_outgoing.js, _storeHeader).
  // Unlike a header, it stays when the host removes all headers, as Koa does for an error.
  res.shouldKeepAlive = false
  // Called after the last answer (_http_server.js, resOnFinish). https://nodejs.org/api/net.html#socketdestroysoon
  socket.destroySoon = () => {
    socket.end()
    // The parser must not see another request in these bytes, because its answer could not be sent. It releases the
    // socket to a new listener (_http_server.js, unconsume); before that, it makes the socket read again
    // (_http_server.js, onSocketResume), which a socket that the parser has paused does not do on its own.
    socket.once('resume', () => socket.removeAllListeners('data').on('data', () => undefined))
    socket.resume()
    setTimeout(() => socket.destroy(), LINGER_MS).unref()
  }
}
