import { vi, type Mock } from 'vitest'

/** A body that gives one chunk each time it is read, and knows what was done with it. */
export interface WatchedStream {
  readonly stream: ReadableStream<Uint8Array>
  readonly read: Mock<() => void>
  readonly cancelled: Mock<() => unknown>
}

/** A body of these chunks. Behind them it ends, unless `end` does something else. */
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

/** For a sender that falls silent. */
export function stall(): Promise<never> {
  return new Promise(() => undefined)
}
