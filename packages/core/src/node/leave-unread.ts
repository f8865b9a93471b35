import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Http2ServerResponse } from 'node:http2'
import { Socket } from 'node:net'
import { finished } from 'node:stream'
import { declaredLength } from './raw-body.js'

const GRACE_MS = 100
const LINGER_MS = 2000

/**
 * Ends a request that is refused before its body was read, so that the answer can go out now.
 *
 * Some hosts (Express) wait for the end of the body before they answer with an error, and a sender that stalls or never
 * stops would hold them for ever. A small body is on its way already: it is dropped, and the connection stays usable.
 * Any other is cut off.
 *
 * @param worth how many bytes to drop for the sake of the connection
 */
export async function leaveUnread(req: IncomingMessage, res: ServerResponse, worth: number): Promise<void> {
  if (isOver(req)) return
  if (req.httpVersionMajor > 1) {
    const { stream } = res as unknown as Http2ServerResponse
    // The answer goes out at once, but the stream would stay open until the body has ended, or for ever. Not by the
    // response: it does not finish before its stream is closed.
    stream.once('finish', () => {
      stream.close()
    })
    return
  }
  await drop(req, worth)
  // A simulated request (Hapi's inject) has no connection to cut.
  if (!isOver(req) && req.socket instanceof Socket) await cutOff(req, res)
}

function isOver(req: IncomingMessage): boolean {
  return req.complete || req.readableEnded || req.destroyed
}

async function drop(req: IncomingMessage, worth: number): Promise<void> {
  if ((declaredLength(req) ?? 0) > worth) return
  let left = worth
  await new Promise<void>((resolve) => {
    const settle = () => {
      clearTimeout(timer)
      req.off('data', onData)
      stopWaiting()
      resolve()
    }
    const onData = (chunk: Uint8Array) => {
      left -= chunk.length
      if (left < 0) settle()
    }
    const timer = setTimeout(settle, GRACE_MS)
    const stopWaiting = finished(req, { writable: false }, settle)
    req.on('data', onData)
  })
}

async function cutOff(req: IncomingMessage, res: ServerResponse): Promise<void> {
  const { socket } = req
  // From here on nothing more is read: the sender's own buffers fill up, not ours.
  socket.pause()
  req.pause()
  // What was read before is still being taken apart.
  await new Promise(setImmediate)
  // To the host the request has ended; it hears so when it listens. An end before `complete` would be an abortion, and
  // take the connection with it.
  req.complete = true
  req.push(null)
  res.shouldKeepAlive = false
  // Node closes the connection right behind the answer. With unread bytes in it that is a reset, which overtakes the
  // answer; so the bytes that are on their way are let in, and dropped, for a moment. They are kept from the HTTP parser:
  // there may be another request among them, and nobody would hear how it ended.
  socket.destroySoon = () => {
    socket.end()
    // Not before it reads again: the parser has hold of the socket, and lets go with a listener.
    socket.once('resume', () => socket.removeAllListeners('data').on('data', () => undefined))
    socket.resume()
    setTimeout(() => socket.destroy(), LINGER_MS).unref()
  }
}
