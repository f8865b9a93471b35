import { ChangeJoiner } from './change-joiner.js'
import { systemClock } from '../store/clock.js'
import { documented, type App } from '../http/operation.js'
import type { Service } from '../deliveries/service.js'

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
        statuses: [403],
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
      const joiner = new ChangeJoiner(systemClock.after, (messages) => {
        raw.write(messages.map((message) => `data: ${JSON.stringify(message)}\n\n`).join(''))
      })
      const stop = service.store.listen((change) => {
        joiner.add(change)
      })
      raw.once('close', () => {
        stop()
        joiner.end()
      })
    },
  )
}
