import type { FastifyInstance } from 'fastify'
import { sendAsset, serveFolder } from './serve.js'

/** The page at `/`. What it shows and does goes through `/_sandbox/` and the API, as anybody's calls do. */
export function dashboard(app: FastifyInstance): void {
  app.get('/', { schema: { hide: true } }, (_request, reply) => sendAsset(reply, 'dashboard/index.html'))
  serveFolder(app, 'dashboard', '/dashboard')
}
