import { answer } from './server.js'

/**
 * @typedef {{ hostname: string, port: number, onListen(address: { port: number }): void }} Options
 * @typedef {{ Deno: { serve(options: Options, handler: (request: Request) => Promise<Response>): void } }} WithDeno
 */
const { Deno } = /** @type {WithDeno} */ (/** @type {unknown} */ (globalThis))

/** @param {{ port: number }} address */
const onListen = ({ port }) => {
  console.log(JSON.stringify({ port }))
}
Deno.serve({ hostname: '127.0.0.1', port: 0, onListen }, answer)
