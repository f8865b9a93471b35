import type { ClientRequest } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'

/**
 * How a body is sent:
 * - `whole`: at once
 * - `chunked`: in two chunks
 * - `slowly`: in pieces, with pauses between them
 * - `cut`: the sender hangs up before the length that it declared
 * - `hang-up`: the sender closes the connection after the body, and takes no answer
 * - `endless`: the sender declares 64 MiB, and waits for an answer before that
 */
export type Manner = 'whole' | 'chunked' | 'slowly' | 'cut' | 'hang-up' | 'endless'

const PIECES = 8
const PAUSE_MS = 15
// Some endpoints have answered by then, and others have only begun: neither answer arrives.
const HANG_UP_MS = 20
const MISSING_BYTES = 100
const ENDLESS_BYTES = 64 * 1024 * 1024

/** The header that says where a body of this length ends. */
export function framingOf(manner: Manner, length: number): readonly [name: string, value: string] {
  if (manner === 'chunked') return ['Transfer-Encoding', 'chunked']
  const declared = manner === 'endless' ? ENDLESS_BYTES : manner === 'cut' ? length + MISSING_BYTES : length
  return ['Content-Length', String(declared)]
}

/** Writes the body of a request. An error is reported by the request itself. */
export function sendBody(request: ClientRequest, body: Uint8Array, manner: Manner): void {
  switch (manner) {
    case 'whole':
      request.end(body)
      break
    case 'chunked':
      request.write(body.subarray(0, body.length >> 1))
      request.end(body.subarray(body.length >> 1))
      break
    case 'slowly':
      void sendSlowly(request, body)
      break
    case 'cut':
      // Only this direction ends: an answer may still arrive.
      request.write(body, () => request.socket?.end())
      break
    case 'hang-up':
      request.end(body, () => void hangUp(request))
      break
    case 'endless':
      request.write(body)
  }
}

async function hangUp(request: ClientRequest): Promise<void> {
  await pause(HANG_UP_MS)
  request.destroy()
}

async function sendSlowly(request: ClientRequest, body: Uint8Array): Promise<void> {
  const size = Math.ceil(body.length / PIECES)
  for (let start = 0; start < body.length && !request.destroyed; start += size) {
    request.write(body.subarray(start, start + size))
    await pause(PAUSE_MS)
  }
  request.end()
}
