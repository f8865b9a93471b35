import type { FastifyInstance, FastifyReply } from 'fastify'
import { ASSETS } from './assets.js'

const TYPES: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
}

export interface AssetOptions {
  /** A page of any origin may show it in a frame. Nobody may, unless this is set. */
  readonly isEmbeddable?: boolean
}

/**
 * Sends an asset by its name, under a policy that lets it load nothing from elsewhere and nothing inline.
 *
 * @example
 * app.get('/', { schema: { hide: true } }, (_request, reply) => sendAsset(reply, 'dashboard/index.html'))
 */
export function sendAsset(reply: FastifyReply, name: string, options: AssetOptions = {}): FastifyReply {
  return reply
    .headers({
      'Content-Type': TYPES[name.slice(name.lastIndexOf('.') + 1)],
      'Content-Security-Policy': policy(options.isEmbeddable === true ? '*' : "'none'"),
      // The address of a hosted form is all that it takes to pay there.
      'Referrer-Policy': 'no-referrer',
      'X-Content-Type-Options': 'nosniff',
    })
    .send(ASSETS[name])
}

/** Serves the files of an asset folder below a path, all but its pages. They are no part of the API. */
export function serveFolder(app: FastifyInstance, folder: string, path: string): void {
  app.get<{ Params: { file: string } }>(`${path}/:file`, { schema: { hide: true } }, ({ params }, reply) => {
    const name = `${folder}/${params.file}`
    if (name in ASSETS && !name.endsWith('.html')) void sendAsset(reply, name)
    else reply.callNotFound()
  })
}

function policy(frameAncestors: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    `frame-ancestors ${frameAncestors}`,
    "base-uri 'none'",
    // Forms are sent by scripts: what is typed in never becomes an address.
    "form-action 'none'",
  ].join('; ')
}
