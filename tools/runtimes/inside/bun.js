import { answer } from './server.js'

// By default, Bun closes a connection on which nothing was sent for 10 seconds.
const { port } = Bun.serve({ fetch: answer, hostname: '127.0.0.1', port: 0, idleTimeout: 120 })
console.log(JSON.stringify({ port }))
