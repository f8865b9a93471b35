import { serve } from '@hono/node-server'
import { nodeHmac } from '../../../packages/core/dist/shared.mjs'
import { answer } from './server.js'

const fetch = (request) => answer(request, nodeHmac)
serve({ fetch, hostname: '127.0.0.1', port: 0 }, ({ port }) => {
  console.log(JSON.stringify({ port }))
})
