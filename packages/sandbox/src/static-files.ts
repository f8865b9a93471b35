import type { FastifyReply } from 'fastify'
import { readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import Type from 'typebox'
import type { App } from './http/operation.js'

/** The files for browsers. From the sources and from the bundle, the path to them is the same. */
const ASSETS = fileURLToPath(new URL('../assets/', import.meta.url))

const PAGE_TYPE = 'text/html; charset=utf-8'

/** The types of the files that pages load. The pages themselves have addresses of their own. */
const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'application/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
}

const anyName = Type.Object({ '*': Type.String() })

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

/**
 * Serves the files of a folder that pages load. The name in a request selects one of the names that the folder has at
 * the start, and never becomes a path. Browsers keep no file, because it could be of another version.
 */
export function serveFolder(app: App, prefix: string, folder: string): void {
  const names = new Set(readdirSync(folder).filter((name) => extname(name) in TYPES))
  app.get(`${prefix}*`, { schema: { params: anyName, hide: true } }, ({ params }, reply) => {
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
export async function sendFile(
  reply: FastifyReply,
  path: string,
  frameAncestors = "'none'",
): Promise<FastifyReply> {
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
