import { answer } from './server.js'

/**
 * @typedef {{ fetch: (request: Request) => Promise<Response>, hostname: string, port: number, idleTimeout: number }} Options
 * @typedef {{ Bun: { serve(options: Options): { port: number } } }} WithBun
 */
const { Bun } = /** @type {WithBun} */ (/** @type {unknown} */ (globalThis))

// By default, Bun closes a connection on which nothing was sent for 10 seconds.
const { port } = Bun.serve({ fetch: answer, hostname: '127.0.0.1', port: 0, idleTimeout: 120 })
console.log(JSON.stringify({ port }))
