import { serve } from '@hono/node-server'
import { createAnswer } from './answer.js'

serve({ fetch: createAnswer(), hostname: '127.0.0.1', port: 0 }, ({ port }) => {
  console.log(JSON.stringify({ port }))
})
