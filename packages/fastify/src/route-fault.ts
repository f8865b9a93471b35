import type { RouteOptions } from 'fastify'

/** Why a route cannot be guarded, and what to write instead. */
export function faultOf(
  { method, url, config, schema }: RouteOptions,
  isGuarded: boolean,
): string | undefined {
  const mark: unknown = config?.serviceSignature
  const route = `${String(method)} ${url}`
  if (mark !== undefined && typeof mark !== 'boolean') {
    return (
      `"serviceSignature" in the config of the route ${route} must be true or false. Pass options to ` +
      'app.register(serviceSignature, options)'
    )
  }
  if (isGuarded && schema?.body !== undefined) {
    return (
      `The route ${route} must not have a schema for its body, because the body is the raw bytes. Remove ` +
      'schema.body: request.webhook.event.shape says which payload was received'
    )
  }
  return undefined
}
