import { documented, type App } from '../http/operation.js'
import { systemClock, type Cancel, type Clock } from '../store/clock.js'
import type { Change } from '../store/store.js'
import type { Service } from '../deliveries/sending.js'

/** Changes of one kind that were joined. */
export type ChangeMessage = Change | { readonly kind: string; readonly ids: readonly string[] }

const JOINED_MS = 100

/** Announces every change, as server-sent events. */
export function stream(app: App, service: Service): void {
  app.get(
    '/stream',
    {
      // A HEAD would never end.
      exposeHeadRoute: false,
      schema: documented({
        id: 'streamChanges',
        summary: 'Every change from now on: { "kind": "delivery", "id": "..." }, as server-sent events',
        note: 'Several changes of one kind within 100 ms are one message: { "kind": "delivery", "ids": ["..."] }.',
        answer: {
          description: 'Server-sent events',
          content: { 'text/event-stream': { schema: { type: 'string' } } },
        },
      }),
    },
    (_request, reply) => {
      reply.hijack()
      const { raw } = reply
      raw.writeHead(200, {
        'Content-Type': 'text/event-stream',
        'Cache-Control': 'no-store',
        'X-Content-Type-Options': 'nosniff',
      })
      raw.write(': listening\n\n')
      // The time of this machine: how fast a page can follow does not depend on the clock of a test.
      const changes = joined(systemClock.after, (messages) =>
        raw.write(messages.map((message) => `data: ${JSON.stringify(message)}\n\n`).join('')),
      )
      const stop = service.store.listen((change) => changes.add(change))
      raw.once('close', () => {
        stop()
        changes.end()
      })
    },
  )
}

/** Passes on the first change at once, and those that follow within 100 ms together, one message for each kind. */
export function joined(after: Clock['after'], send: (messages: readonly ChangeMessage[]) => void) {
  const waiting = new Map<string, Set<string>>()
  let cancel: Cancel | undefined

  function flush(): void {
    cancel = undefined
    if (waiting.size === 0) return
    const messages = [...waiting].map(([kind, ids]) => messageOf(kind, [...ids]))
    waiting.clear()
    cancel = after(JOINED_MS, flush)
    send(messages)
  }

  return {
    add({ kind, id }: Change): void {
      const ids = waiting.get(kind) ?? new Set()
      if (id !== undefined) ids.add(id)
      waiting.set(kind, ids)
      if (cancel === undefined) flush()
    },
    end(): void {
      cancel?.()
    },
  }
}

function messageOf(kind: string, ids: readonly string[]): ChangeMessage {
  const [id, ...others] = ids
  if (id === undefined) return { kind }
  return others.length === 0 ? { kind, id } : { kind, ids }
}
