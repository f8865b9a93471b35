import { nodeHmac } from '../../../packages/core/dist/shared.mjs'
import { answer } from './server.js'

const onListen = ({ port }) => {
  console.log(JSON.stringify({ port }))
}
Deno.serve({ hostname: '127.0.0.1', port: 0, onListen }, (request) => answer(request, nodeHmac))
