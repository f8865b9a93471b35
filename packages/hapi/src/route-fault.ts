import type { AuthSettings, RequestRoute, Server } from '@hapi/hapi'

/** The mark of the strategies of this scheme: hapi does not pass their names to the scheme. */
export const API = Object.freeze({ scheme: 'service-signature' })

/** Why a route cannot be guarded, and what to write instead. */
export function faultOf(server: Server, { method, path, settings }: RequestRoute): string | undefined {
  // `false` switches the default off, and null means that there is no default; hapi's types have neither.
  const auth = (settings.auth ?? server.auth.settings.default) as AuthSettings | false | null
  if (!auth) return undefined
  const strategy = auth.strategies.find((name) => server.auth.api[name] === API)
  if (strategy === undefined) return undefined
  const reason = reasonAgainst(settings, auth)
  return (
    reason &&
    `The strategy "${strategy}" cannot guard ${method.toUpperCase()} ${path}: ${reason}. Write ` +
      `{ method: 'POST', options: { auth: '${strategy}', payload: { parse: false, output: 'data' } } }, ` +
      'or { options: { auth: false } } if the route takes no webhooks'
  )
}

function reasonAgainst(
  { payload }: RequestRoute['settings'],
  { mode, strategies, access }: AuthSettings,
): string | undefined {
  if (payload == null) return 'a webhook is a POST'
  if (payload.parse !== false || payload.output === 'file') return 'it needs the raw bytes'
  if (mode !== 'required') return `the mode "${mode}" also lets unsigned requests through`
  // Hapi asks one strategy after the other until one lets the request through.
  if (strategies.length > 1) return 'another strategy of the route could let unsigned requests through'
  // The credentials are empty. One item that they satisfy is enough.
  if (access?.every(({ entity, scope }) => entity === 'user' || scope)) {
    return 'a delivery has no scope and no user, so hapi would answer 403'
  }
  return undefined
}
