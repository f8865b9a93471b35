import Hapi from '@hapi/hapi'
import { serviceSignature } from '@service-signature/hapi'
import { SECRET } from '../../contestants/signing.js'
import { constructEvent } from '../stripe-recipe.js'

const payload = { parse: false, output: 'data' }

/** How the route is guarded, and where its handler finds the event. */
const GUARDS = {
  ours: { auth: 'service-signature', eventOf: ({ auth }) => auth.artifacts.event },
  unverified: { auth: false, eventOf: ({ payload }) => JSON.parse(payload.toString()) },
  stripe: { auth: false, eventOf: ({ payload, headers }) => constructEvent(payload, headers) },
}

/** @param {keyof typeof GUARDS} guard */
export async function listen(guard) {
  const { auth, eventOf } = GUARDS[guard]
  const server = Hapi.server({ host: '127.0.0.1', port: 0 })
  if (guard === 'ours') await server.register({ plugin: serviceSignature, options: { secret: SECRET } })
  server.route({
    method: 'POST',
    path: '/webhooks',
    options: { auth, payload },
    handler(request, h) {
      const event = eventOf(request)
      if (event === undefined) return h.response().code(400)
      return h.response().code(typeof event.type === 'string' ? 204 : 422)
    },
  })
  await server.start()
  return server.info.port
}
