import { isLoopback } from '@service-signature/deliveries/node'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { isIP, type AddressInfo } from 'node:net'
import { refusal } from './envelope.js'
import { isForPerson, sendTokenPage } from './package-files.js'
import { invalid, Refusal } from './refusal.js'
import type { Reach } from './target.js'

declare module 'fastify' {
  interface FastifyRequest {
    /** How the caller reaches the sandbox. The addresses in its answers start with it. */
    readonly origin: string
    /** How a browser reaches it, which may be outside the network of the caller. An `embed_url` starts with it. */
    readonly publicOrigin: string
  }
}

/** The settings with a token, if other machines can reach the sandbox. */
export function withToken<Options extends Reach>(settings: Options): Options {
  const { host, token } = settings
  if (token !== undefined || isLoopback(host)) return settings
  return { ...settings, token: randomBytes(24).toString('base64url') }
}

/** Refuses requests under a foreign `Host`, and those without the token, if the sandbox has one. */
export function checkCallers(app: FastifyInstance, settings: Reach): void {
  const { publicUrl, token } = settings
  const getters = {
    origin: ({ host }: FastifyRequest) => `http://${host}`,
    publicOrigin: ({ origin }: FastifyRequest) => publicUrl ?? origin,
    isTrusted: (request: FastifyRequest) =>
      (isLoopback(request.ip) && !isForwarded(request)) || (token !== undefined && carries(request, token)),
  }
  for (const [name, get] of Object.entries<(request: FastifyRequest) => unknown>(getters)) {
    app.decorateRequest(name, {
      getter(this: FastifyRequest) {
        return get(this)
      },
    })
  }
  app.addHook('onRequest', checkHost(settings))
  if (token === undefined) app.addHook('onRequest', refuseForwarded)
  else checkToken(app, token)
}

/** Whether a proxy or a tunnel on this machine forwards it: the caller may be anywhere. */
function isForwarded({ headers }: FastifyRequest): boolean {
  return headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined
}

function refuseForwarded(request: FastifyRequest, _reply: unknown, done: () => void): void {
  if (isForwarded(request) && isClosed(request)) {
    const problem =
      'must come with a token, because a proxy lets other machines reach the sandbox. Start it with SANDBOX_TOKEN or --token-file'
    throw new Refusal('forbidden', 'X-Forwarded-For', problem)
  }
  done()
}

/** A web page whose name was made to lead to this machine could read every answer otherwise. */
function checkHost({ host, allowHosts, publicUrl }: Reach) {
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

const OPEN = /^\/(?:(?:api|direct|vault)\/|(?:sdk\.js|openapi\.json|_sandbox\/health\/)$)/

/** Whether a route needs the token: all but those of merchants and their customers, and of a health check. */
export function needsToken(route: string): boolean {
  return !OPEN.test(route)
}

/** Whether a request needs the token. A program with a wrong address gets 404 without it. */
function isClosed(request: FastifyRequest): boolean {
  const { url } = request.routeOptions
  return url === undefined ? isForPerson(request) : needsToken(url)
}

const PROBLEM =
  'must be Bearer <token>. The sandbox prints its token at the start; the commands read SANDBOX_TOKEN'

function checkToken(app: FastifyInstance, token: string): void {
  app.addHook('onRequest', async (request, reply) => {
    if (!isClosed(request)) return
    const { token: given } = request.query as { readonly token?: unknown }
    if (request.method === 'GET' && typeof given === 'string' && isSame(given, token)) {
      void reply.header('Set-Cookie', `${cookieOf(request, token)}; HttpOnly; SameSite=Lax; Path=/`)
      await reply.redirect(withoutToken(request.url), 303)
    } else if (!carries(request, token)) {
      void reply.code(401).header('WWW-Authenticate', 'Bearer')
      if (request.routeOptions.url?.startsWith('/_sandbox/') !== true) await sendTokenPage(reply)
      else await reply.send(refusal(401, [{ Authorization: PROBLEM }], 'The sandbox needs its token'))
    }
  })
}

function carries(request: FastifyRequest, token: string): boolean {
  const { authorization = '', cookie = '' } = request.headers
  const wanted = cookieOf(request, token)
  return (
    isSame(authorization.replace(/^bearer +/i, ''), token) ||
    cookie.split('; ').some((each) => isSame(each, wanted))
  )
}

/** All ports of a host receive a cookie. So its name has the port that the browser uses, and its value is not the token itself. */
function cookieOf({ port }: FastifyRequest, token: string): string {
  const name = `service-signature-sandbox-${port ?? 'default'}`
  return `${name}=${createHmac('sha256', token).update(name).digest('base64url')}`
}

/** Compares digests, so that the time shows neither the length nor the beginning of the token. */
function isSame(given: string, wanted: string): boolean {
  const [one, other] = [given, wanted].map((text) => createHash('sha256').update(text).digest())
  return timingSafeEqual(one!, other!)
}

/** The path and the query of an address without the token. Two slashes at its start would lead to another host. */
function withoutToken(address: string): string {
  const url = new URL(address, 'http://sandbox')
  url.searchParams.delete('token')
  return url.pathname.replace(/^\/+/, '/') + url.search
}

/** A sandbox that listens on every address is reached at the loopback address. */
export function urlOf({ address, port }: Pick<AddressInfo, 'address' | 'port'>): string {
  const reachable = address === '0.0.0.0' ? '127.0.0.1' : address === '::' ? '::1' : address
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`
}
