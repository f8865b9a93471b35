import { nodeHmac } from '../../../packages/core/dist/shared.mjs'
import { answer } from './server.js'

const fetch = (request) => answer(request, nodeHmac)
// By default, Bun closes a connection on which nothing was sent for 10 seconds.
const { port } = Bun.serve({ fetch, hostname: '127.0.0.1', port: 0, idleTimeout: 120 })
console.log(JSON.stringify({ port }))
