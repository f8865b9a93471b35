import type { FastifyReply, FastifyRequest } from 'fastify'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { refusal } from './http/envelope.js'
import type { App } from './http/operation.js'
import { PAGE_SECTIONS } from './page-sections.js'
import { sendFile, serveFolder } from './static-files.js'

/** The page as Vite builds it. From the sources and from the bundle, the path to it is the same. */
export const PAGE_FOLDER = fileURLToPath(new URL('../dist/page/', import.meta.url))

const NOT_BUILT = 'The page is not built. Run npm run build.\n'

/** Paths below which programs call, and never a person. */
const FOR_PROGRAMS = /^\/(?:api|direct|vault|_sandbox)\//

/** Serves the page: its scripts by their names, and one HTML file at every address of the page. */
export function pageFiles(app: App, folder: string): void {
  const isBuilt = existsSync(`${folder}index.html`)
  if (isBuilt) serveFolder(app, '/assets/', `${folder}assets/`)

  const sendPage = async (_request: FastifyRequest, reply: FastifyReply) => {
    if (isBuilt) return sendFile(reply, `${folder}index.html`)
    return reply.type('text/plain; charset=utf-8').send(NOT_BUILT)
  }
  for (const section of PAGE_SECTIONS) {
    app.get(`/${section}`, { schema: { hide: true } }, sendPage)
    app.get(`/${section}/*`, { schema: { hide: true } }, sendPage)
  }
  app.get('/', { schema: { hide: true } }, sendPage)

  // A person with a wrong address gets the page, which says so; a program gets the error of the service.
  app.setNotFoundHandler((request, reply) => {
    const isForPerson = request.headers.accept?.includes('text/html') === true
    if (isBuilt && isForPerson && request.method === 'GET' && !FOR_PROGRAMS.test(request.url)) {
      return sendPage(request, reply.code(404))
    }
    return reply.code(404).send(refusal(404))
  })
}
