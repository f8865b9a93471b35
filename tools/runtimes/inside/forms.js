// The ways to use the fetch adapter that are tested on every runtime, by the name that they have in addresses. Each is
// called as serviceSignature is.
import { serviceSignature } from '@service-signature/fetch'
import { serviceSignature as middleware } from '@service-signature/fetch/hono'
import { Hono } from 'hono'

export const FORMS = {
  fetch: serviceSignature,

  hono(options, handler) {
    const handle = serviceSignature(options, handler)
    return new Hono().all('*', (c) => handle(c.req.raw, c)).fetch
  },

  'hono-middleware'(options, handler) {
    return new Hono().all('*', middleware(options), (c) => handler(c.var.webhook, c.req.raw)).fetch
  },
}
