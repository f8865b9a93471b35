import type { FastifyInstance, FastifyRequest } from 'fastify'
import { isIP, type AddressInfo } from 'node:net'
import { isLoopback, type Reach } from './target.js'
import { invalid, Refusal } from './refusal.js'

declare module 'fastify' {
  interface FastifyRequest {
    /** How the caller reaches the sandbox. The addresses in its answers start with it. */
    readonly origin: string
    /** How a browser reaches it, which may be outside the network of the caller. An `embed_url` starts with it. */
    readonly publicOrigin: string
  }
}

export function decorateWithOrigin(app: FastifyInstance, { publicUrl }: Reach): void {
  app.decorateRequest('origin', {
    getter(this: FastifyRequest) {
      return `http://${this.host}`
    },
  })
  app.decorateRequest('publicOrigin', {
    getter(this: FastifyRequest) {
      return publicUrl ?? this.origin
    },
  })
}

/**
 * Refuses requests under a foreign `Host`: a web page whose name was made to lead to this machine could read every
 * answer otherwise.
 */
export function checkHost({ host, allowHosts, publicUrl }: Reach) {
  const allowed = publicUrl === undefined ? allowHosts : [...allowHosts, new URL(publicUrl).host]
  return function checkHost(request: FastifyRequest, _reply: unknown, done: () => void): void {
    if (request.headers.host === undefined) throw invalid('Host', 'is missing')
    const name = request.hostname.toLowerCase()
    if (!isOwn(name, host) && !allowed.includes(name) && !allowed.includes(request.host.toLowerCase())) {
      const problem =
        `"${name}" is not a name of this sandbox. To allow it, start the sandbox with --allow-host ${name}, ` +
        `or with allowHosts: ['${name}'].`
      throw new Refusal('forbidden', 'Host', problem)
    }
    done()
  }
}

function isOwn(hostname: string, host: string): boolean {
  const name = hostname.replace(/^\[|\]$/g, '')
  if (name === host.toLowerCase() || isLoopback(name)) return true
  // Beyond this machine the sandbox is called by an address. Only a name can be made to lead here.
  return isIP(host) !== 0 && !isLoopback(host) && isIP(name) !== 0
}

/** Whether a page of the sandbox itself sends it. A browser names the origin of the page with each change. */
export function isOfOwnPage({ headers, origin, publicOrigin }: FastifyRequest): boolean {
  return headers.origin === origin || headers.origin === publicOrigin
}

/** Refuses changes that a web page of another origin sends to an operation without an API key. */
export function checkOrigin(request: FastifyRequest, _reply: unknown, done: () => void): void {
  const isChange = request.method !== 'GET' && request.method !== 'HEAD'
  if (isChange && request.headers.origin !== undefined && !isOfOwnPage(request)) {
    throw new Refusal('forbidden', 'Origin', 'must be that of the sandbox itself')
  }
  done()
}

/** A sandbox that listens on every address is reached at the loopback address. */
export function urlOf({ address, port }: Pick<AddressInfo, 'address' | 'port'>): string {
  const reachable = address === '0.0.0.0' ? '127.0.0.1' : address === '::' ? '::1' : address
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`
}
