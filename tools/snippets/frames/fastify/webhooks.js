import { fastify } from 'fastify'
import { snippet } from '../frame.js'

const app = fastify({ logger: { level: 'warn' } })
app.register(snippet.webhooks)
await app.listen({ port: 3000 })
