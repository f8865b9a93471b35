import type { FastifyInstance, FastifyReply, HTTPMethods } from 'fastify'
import { refusal } from './envelope.js'

const METHODS: readonly HTTPMethods[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE']

/** Takes down which methods each path has, from now on. */
export function collectMethods(app: FastifyInstance): ReadonlyMap<string, ReadonlySet<string>> {
  const methods = new Map<string, Set<string>>()
  app.addHook('onRoute', ({ url, method }) => {
    const known = methods.get(url) ?? new Set()
    for (const name of [method].flat()) known.add(name)
    methods.set(url, known)
  })
  return methods
}

/** Answers 405 to the methods that a path does not have, and says which it has. */
export function refuseOtherMethods(
  app: FastifyInstance,
  methods: ReadonlyMap<string, ReadonlySet<string>>,
): void {
  for (const [url, known] of methods) {
    const allow = [...known].sort().join(', ')
    const refuse = async (_request: unknown, reply: FastifyReply) =>
      reply.code(405).header('Allow', allow).send(refusal(405))
    app.route({
      url,
      method: METHODS.filter((method) => !known.has(method)),
      schema: { hide: true },
      // Before the body is read: whatever it is, it is not wanted.
      onRequest: refuse,
      handler: refuse,
    })
  }
}
