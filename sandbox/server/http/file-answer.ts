import type { FastifyReply } from 'fastify'

const TYPES: ReadonlyMap<string | undefined, string> = new Map([['sh', 'text/plain']])

/** Answers with a file, which a browser stores. */
export function sendFile(reply: FastifyReply, name: string, text: string): FastifyReply {
  const type = TYPES.get(name.split('.').at(-1)) ?? 'application/json'
  return reply
    .type(`${type}; charset=utf-8`)
    .header('Content-Disposition', `attachment; filename="${name}"`)
    .send(text)
}
