import type { FastifyInstance } from 'fastify'
import type { Service } from '../service.js'
import { sendAsset, serveFolder } from './serve.js'

/** The hosted form (S4.1): one page for every intent, which asks the vault what to show. */
export function formPage(app: FastifyInstance, service: Service): void {
  serveFolder(app, 'form', '/assets/form')
  app.get<{ Params: { id: string } }>('/form/:id/', { schema: { hide: true } }, ({ params }, reply) => {
    const { intents, cardTokenIntents } = service.stage.state
    const isThere = intents.has(params.id) || cardTokenIntents.has(params.id)
    return sendAsset(reply.code(isThere ? 200 : 404), 'form/index.html', { isEmbeddable: true })
  })
}
