// For the types of what routes can say of themselves, which the page is compiled with, too.
import type {} from '@fastify/swagger'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { existsSync, readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, extname } from 'node:path'
import { refusal } from './envelope.js'
import type { App } from './operation.js'

const require = createRequire(import.meta.url)

/** The folder of this package, which the sources and the bundle find by its name. */
const PACKAGE = dirname(require.resolve('@service-signature/sandbox/package.json'))

/** The files of the hosted form and of the browser SDK. */
const ASSETS = `${PACKAGE}/assets/`

/** The page as Vite builds it. */
export const PAGE_FOLDER = `${PACKAGE}/dist/page/`

const PAGE_TYPE = 'text/html; charset=utf-8'

/** The types of the files that pages load. The pages themselves have addresses of their own. */
const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'application/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
}

const NOT_BUILT = 'The page is not built. Run npm run build.\n'

/** Paths below which programs call, and never a person. */
const FOR_PROGRAMS = /^\/(?:api|direct|vault|_sandbox)\//

/** Serves the browser SDK, and the files that it and the hosted form load. */
export function staticFiles(app: App): void {
  serveFolder(app, '/vault/assets/form/', `${ASSETS}form/`)
  serveFolder(app, '/vault/assets/sdk/', `${ASSETS}sdk/`)

  app.get('/sdk.js', { schema: { hide: true } }, (_request, reply) => {
    // Browsers load a module of another origin only if it allows that.
    void reply.headers({ 'Access-Control-Allow-Origin': '*', 'Cross-Origin-Resource-Policy': 'cross-origin' })
    return sendFile(reply, `${ASSETS}sdk/sdk.js`)
  })
  app.get('/vault/card-form/', { schema: { hide: true } }, (_request, reply) =>
    sendEmbeddable(reply, 'sdk/card-form.html'),
  )
}

/** Serves the page: its scripts by their names, and one HTML file at every address that is not one for programs. */
export function pageFiles(app: App, folder: string): void {
  const isBuilt = existsSync(`${folder}index.html`)
  if (isBuilt) serveFolder(app, '/assets/', `${folder}assets/`)

  const sendPage = async (_request: FastifyRequest, reply: FastifyReply) => {
    if (isBuilt) return sendFile(reply, `${folder}index.html`)
    return reply.type('text/plain; charset=utf-8').send(NOT_BUILT)
  }
  app.get('/', { schema: { hide: true } }, sendPage)

  // The page itself says which addresses it does not have. A program gets the error of the service.
  app.setNotFoundHandler((request, reply) => {
    if (isForPerson(request) && !request.url.startsWith('/assets/')) return sendPage(request, reply)
    return reply.code(404).send(refusal(404))
  })
}

/** Whether a browser asks for a page, at an address at which one could be. */
export function isForPerson({ method, url, headers }: FastifyRequest): boolean {
  return (
    /^(?:GET|HEAD)$/.test(method) && headers.accept?.includes('text/html') === true && !FOR_PROGRAMS.test(url)
  )
}

/** Sends the page that says how to get the other pages. */
export function sendTokenPage(reply: FastifyReply): Promise<FastifyReply> {
  return sendFile(reply, `${ASSETS}token/token.html`)
}

/**
 * Serves the files of a folder that pages load. The name in a request selects one of the names that the folder has at
 * the start, and never becomes a path. Browsers keep no file, because it could be of another version.
 */
function serveFolder(app: App, prefix: string, folder: string): void {
  const names = new Set(readdirSync(folder).filter((name) => extname(name) in TYPES))
  app.get<{ Params: { '*': string } }>(`${prefix}*`, { schema: { hide: true } }, ({ params }, reply) => {
    const name = params['*']
    if (names.has(name)) return sendFile(reply, folder + name)
    reply.callNotFound()
    return reply
  })
}

/** Sends a page that pages of any origin may show in a frame. */
export function sendEmbeddable(reply: FastifyReply, name: string): Promise<FastifyReply> {
  return sendFile(reply, ASSETS + name, '*')
}

/** Sends a file of the sandbox with a policy under which a page loads nothing from elsewhere and nothing inline. */
async function sendFile(reply: FastifyReply, path: string, frameAncestors = "'none'"): Promise<FastifyReply> {
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    `frame-ancestors ${frameAncestors}`,
    "base-uri 'none'",
    // Forms are sent by scripts, so that typed values never become part of an address.
    "form-action 'none'",
  ].join('; ')
  // The address of a hosted form is all that is needed to pay there.
  void reply.headers({ 'Content-Security-Policy': policy, 'Referrer-Policy': 'no-referrer' })
  return reply.type(TYPES[extname(path)] ?? PAGE_TYPE).send(await readFile(path))
}

/** The version of this package. */
export function packageVersion(): string {
  return (require(`${PACKAGE}/package.json`) as { readonly version: string }).version
}
