import type { FastifyInstance, FastifyRequest } from 'fastify'
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { isLoopback, type Reach } from './target.js'
import { isForPerson, sendTokenPage } from './package-files.js'
import { refusal } from './envelope.js'

/** The settings with a token, if other machines can reach the sandbox. */
export function withToken<Options extends Reach>(settings: Options): Options {
  const { host, token } = settings
  if (token !== undefined || isLoopback(host)) return settings
  return { ...settings, token: randomBytes(24).toString('base64url') }
}

const OPEN = /^\/(?:(?:api|direct|vault)\/|(?:sdk\.js|openapi\.json|_sandbox\/health\/)$)/

/** Whether a route needs the token: all but those of merchants and their customers, and of a health check. */
export function needsToken(route: string): boolean {
  return !OPEN.test(route)
}

/** Refuses requests without the token, if the sandbox has one. */
export function checkToken(app: FastifyInstance, { token }: Reach): void {
  app.decorateRequest('isTrusted', {
    getter(this: FastifyRequest) {
      return isLoopback(this.ip) || (token !== undefined && carries(this, token))
    },
  })
  if (token === undefined) return
  app.addHook('onRequest', async (request, reply) => {
    const route = request.routeOptions.url
    if (route === undefined ? !isForPerson(request) : !needsToken(route)) return
    const { token: given } = request.query as { readonly token?: unknown }
    if (request.method === 'GET' && typeof given === 'string' && isSame(given, token)) {
      void reply.header('Set-Cookie', `${cookieOf(request, token)}; HttpOnly; SameSite=Strict; Path=/`)
      await reply.redirect(withoutToken(request.url), 303)
    } else if (!carries(request, token)) {
      void reply.code(401).header('WWW-Authenticate', 'Bearer')
      if (route?.startsWith('/_sandbox/') !== true) await sendTokenPage(reply)
      else await reply.send(refusal(401, [{ Authorization: PROBLEM }], 'The sandbox needs its token'))
    }
  })
}

const PROBLEM =
  'must be Bearer <token>. The sandbox prints its token at the start; the commands read SANDBOX_TOKEN'

function carries(request: FastifyRequest, token: string): boolean {
  const { authorization = '', cookie = '' } = request.headers
  const wanted = cookieOf(request, token)
  return (
    isSame(authorization.replace(/^bearer +/i, ''), token) ||
    cookie.split('; ').some((each) => isSame(each, wanted))
  )
}

/** All ports of a host share their cookies, so the name has the port that the browser uses. */
function cookieOf({ port }: FastifyRequest, token: string): string {
  return `service-signature-sandbox-${port ?? 'default'}=${token}`
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
