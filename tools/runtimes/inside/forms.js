// The ways to use the fetch adapter that are tested on every runtime, by the name that they have in addresses. Each is
// called as serviceSignature is.
import { serviceSignature } from '@service-signature/fetch'
import { Hono } from 'hono'
import { honoMiddleware } from './hono-middleware.js'

/** @typedef {typeof serviceSignature} Form */

/** @type {Readonly<Record<string, Form>>} */
export const FORMS = {
  fetch: serviceSignature,
  // It passes on all its arguments.
  hono: /** @type {Form} */ (inHono),
  'hono-middleware': honoMiddleware,
}

/**
 * @param {Parameters<Form>} args
 * @returns {ReturnType<Form>}
 */
function inHono(...args) {
  const handle = serviceSignature(...args)
  const app = new Hono()
  app.all('*', (c) => handle(c.req.raw, c))
  // The error itself, as the host of the plain form gets it, and not the answer that Hono makes of it.
  app.onError((error) => {
    throw error
  })
  return async (request) => app.fetch(request)
}
