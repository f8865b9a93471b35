// The adapters and stores whose hosts have sound declarations.
import express from 'express'
import { fastify } from 'fastify'
import { Redis } from 'ioredis'
import { createServer } from 'node:http'
import { createClient } from 'redis'
import { createVerifier, type VerifiedWebhook } from '@service-signature/core'
import { serviceSignature as forExpress } from '@service-signature/express'
import { serviceSignature as forFastify } from '@service-signature/fastify'
import { serviceSignature as forFetch } from '@service-signature/fetch'
import { serviceSignature as forLambda } from '@service-signature/lambda'
import { serviceSignature as forNode } from '@service-signature/node'
import { postgresInbox, type PgPool } from '@service-signature/postgres'
import { redisReplayStore } from '@service-signature/redis'

const options = { secret: 'test_signature_key' }

express().post('/webhooks', forExpress(options), (req, res) => {
  // @ts-expect-error: only routes after the middleware have it
  console.log(req.webhook.event.type)
  res.sendStatus(req.webhook === undefined ? 500 : 204)
})

const app = fastify()
app.register(async (scope) => {
  await scope.register(forFastify, options)
  scope.post('/webhooks', (request, reply) => reply.code(204).send(request.webhook?.event.type))
})

export const POST = forFetch(options, ({ event }) => Response.json(event.type))
export const handler = forLambda(options, ({ event }) => {
  console.log(event.type)
})
export const server = createServer(
  forNode(options, ({ event }, req, res) => {
    res.writeHead(204).end(`${event.type} ${req.url}`)
  }),
)

export const stores = () => [
  createVerifier({ ...options, replay: redisReplayStore(createClient()) }),
  createVerifier({
    ...options,
    replay: redisReplayStore(new Redis({ lazyConnect: true }), { leaseSeconds: 30 }),
  }),
]

export async function book(pool: PgPool, webhook: VerifiedWebhook): Promise<number | undefined> {
  const inbox = postgresInbox(pool, { table: 'billing.inbox' })
  createVerifier({ ...options, replay: inbox })
  const { outcome, result } = await inbox.handle(webhook, async (client) => {
    const { rows } = await client.query('SELECT $1 AS id', [webhook.event.type])
    return rows.length
  })
  return outcome === 'handled' ? result : undefined
}
