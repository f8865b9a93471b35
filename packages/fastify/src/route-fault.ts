import type { RouteOptions } from 'fastify'

/** Why a route that is to be guarded cannot be, and what to write. */
export function faultOf(
  { method, url, config, schema }: RouteOptions,
  isGuarded: boolean,
): string | undefined {
  const mark: unknown = config?.serviceSignature
  const route = `${String(method)} ${url}`
  if (mark !== undefined && typeof mark !== 'boolean') {
    return (
      `The route ${route} says neither yes nor no. Write { config: { serviceSignature: true } }; ` +
      'options go to app.register(serviceSignature, options)'
    )
  }
  if (isGuarded && schema?.body !== undefined) {
    return (
      `The route ${route} has a schema for its body, but its body is the bytes that were signed. Take schema.body ` +
      'away: request.webhook.event says by its shape what is in it'
    )
  }
  return undefined
}
