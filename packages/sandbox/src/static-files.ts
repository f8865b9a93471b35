import { fastifyStatic } from '@fastify/static'
import type { FastifyReply } from 'fastify'
import { fileURLToPath } from 'node:url'
import type { App } from './http/operation.js'

/** The files for browsers. From the sources and from the bundle, the path to them is the same. */
const ASSETS = new URL('../assets/', import.meta.url)

/** Each folder, and the path below which its files are served. */
const FOLDERS = [
  ['form/', '/vault/assets/form/'],
  ['sdk/', '/vault/assets/sdk/'],
] as const

/** How every file is served: what a browser keeps could be of another version. */
export const FILE_OPTIONS = { cacheControl: false, etag: false, lastModified: false, index: false } as const

/** Serves the browser SDK, and the files that it and the hosted form load. */
export async function staticFiles(app: App): Promise<void> {
  await app.register(fastifyStatic, { ...FILE_OPTIONS, root: fileURLToPath(ASSETS), serve: false })
  for (const [folder, prefix] of FOLDERS) {
    await app.register(fastifyStatic, {
      ...FILE_OPTIONS,
      root: fileURLToPath(new URL(folder, ASSETS)),
      prefix,
      decorateReply: false,
      // The pages have addresses of their own; the file system refuses long names with an error.
      allowedPath: (path) => !path.endsWith('.html') && path.length < 100,
      setHeaders: (reply) => void reply.headers(headersOf("'none'")),
    })
  }

  app.get('/sdk.js', { schema: { hide: true } }, (_request, reply) => {
    // Browsers load a module of another origin only if it allows that.
    void reply.headers({ 'Access-Control-Allow-Origin': '*', 'Cross-Origin-Resource-Policy': 'cross-origin' })
    return reply.headers(headersOf("'none'")).sendFile('sdk/sdk.js')
  })
  app.get('/vault/card-form/', { schema: { hide: true } }, (_request, reply) =>
    sendEmbeddable(reply, 'sdk/card-form.html'),
  )
}

/** Sends a page that pages of any origin may show in a frame. */
export function sendEmbeddable(reply: FastifyReply, name: string): FastifyReply {
  return reply.headers(headersOf('*')).sendFile(name)
}

/** A policy under which a page loads nothing from elsewhere and nothing inline. */
export function headersOf(frameAncestors: string) {
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
  return { 'Content-Security-Policy': policy, 'Referrer-Policy': 'no-referrer' }
}
