import { nodeHmac } from '../../../packages/core/dist/shared.mjs'
import { answer } from './server.js'

const fetch = (request) => answer(request, nodeHmac)
const address = { hostname: '127.0.0.1', port: 0 }
const onListen = ({ port }) => {
  console.log(JSON.stringify({ port }))
}
// By default, Bun closes a connection on which nothing was sent for 10 seconds.
if ('Bun' in globalThis) onListen(Bun.serve({ ...address, fetch, idleTimeout: 120 }))
else if ('Deno' in globalThis) Deno.serve({ ...address, onListen }, fetch)
else (await import('@hono/node-server')).serve({ ...address, fetch }, onListen)
