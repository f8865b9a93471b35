import { serve } from '@hono/node-server'
import { answer } from './server.js'

serve({ fetch: answer, hostname: '127.0.0.1', port: 0 }, ({ port }) => {
  console.log(JSON.stringify({ port }))
})
