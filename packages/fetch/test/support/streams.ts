import { vi, type Mock } from 'vitest'

/** A body that returns one chunk for each read, and records how it was used. */
export interface WatchedStream {
  readonly stream: ReadableStream<Uint8Array>
  readonly read: Mock<() => void>
  readonly cancelled: Mock<() => unknown>
}

/** A body of these chunks. After them it ends, unless `end` does something else. */
export function watchedStream(
  chunks: Iterable<unknown>,
  end: (controller: ReadableStreamDefaultController<Uint8Array>) => unknown = (controller) => {
    controller.close()
  },
): WatchedStream {
  const left = chunks[Symbol.iterator]()
  const read = vi.fn<() => void>()
  const cancelled = vi.fn<() => unknown>()
  const stream = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        read()
        const next = left.next() as IteratorResult<Uint8Array, unknown>
        if (next.done === true) return end(controller) as Promise<void>
        controller.enqueue(next.value)
        return undefined
      },
      cancel: () => cancelled() as Promise<void>,
    },
    { highWaterMark: 0 },
  )
  return { stream, read, cancelled }
}

/** Simulates a sender that stops sending. */
export function stall(): Promise<never> {
  return new Promise(() => undefined)
}
