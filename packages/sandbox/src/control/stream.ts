import { refusals, type App } from '../http/operation.js'
import type { Service } from '../service.js'

/** Announces every change, as server-sent events. */
export function stream(app: App, service: Service): void {
  app.get(
    '/stream',
    {
      // A HEAD would never end.
      exposeHeadRoute: false,
      schema: {
        summary: 'Every change from now on: { "kind": "delivery", "id": "..." }, as server-sent events',
        'x-sandbox-path': true,
        security: [],
        response: {
          200: {
            description: 'Server-sent events',
            content: { 'text/event-stream': { schema: { type: 'string' } } },
          },
          ...refusals([403]),
        },
      },
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
      const stop = service.changes.listen((change) => {
        raw.write(`data: ${JSON.stringify(change)}\n\n`)
      })
      raw.once('close', stop)
    },
  )
}
