import type { ClientRequest } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'

/**
 * How a body is sent:
 * - `whole`: at once
 * - `chunked`: in two chunks
 * - `slowly`: in pieces, with pauses between them
 * - `cut`: the sender hangs up before the length that it declared
 * - `endless`: the sender declares 64 MiB, and waits for an answer before that
 */
export type Manner = 'whole' | 'chunked' | 'slowly' | 'cut' | 'endless'

interface MannerRow {
  /** The header that says where the body ends. */
  readonly framing: (length: number) => readonly [name: string, value: string]
  readonly send: (request: ClientRequest, body: Uint8Array) => unknown
}

const PIECES = 8
const PAUSE_MS = 15
const MISSING_BYTES = 100
const ENDLESS_BYTES = 64 * 1024 * 1024

export const MANNERS: Readonly<Record<Manner, MannerRow>> = {
  whole: {
    framing: contentLength,
    send(request, body) {
      request.end(body)
    },
  },
  chunked: {
    framing: () => ['Transfer-Encoding', 'chunked'],
    send(request, body) {
      const middle = body.length >> 1
      request.write(body.subarray(0, middle))
      request.end(body.subarray(middle))
    },
  },
  slowly: {
    framing: contentLength,
    async send(request, body) {
      const size = Math.ceil(body.length / PIECES)
      for (let start = 0; start < body.length && !request.destroyed; start += size) {
        request.write(body.subarray(start, start + size))
        await pause(PAUSE_MS)
      }
      request.end()
    },
  },
  cut: {
    framing: (length) => contentLength(length + MISSING_BYTES),
    send(request, body) {
      // Only this direction: an answer may still come.
      request.write(body, () => request.socket?.end())
    },
  },
  endless: {
    framing: () => contentLength(ENDLESS_BYTES),
    send(request, body) {
      request.write(body)
    },
  },
}

function contentLength(length: number): readonly [name: string, value: string] {
  return ['Content-Length', String(length)]
}
