import { createAnswer } from './answer.js'

/**
 * @typedef {{ hostname: string, port: number, onListen(address: { port: number }): void }} Options
 * @typedef {{ Deno: { serve(options: Options, handler: (request: Request) => Promise<Response>): void } }} WithDeno
 */
const { Deno } = /** @type {WithDeno} */ (/** @type {unknown} */ (globalThis))

/** @type {Options} */
const options = {
  hostname: '127.0.0.1',
  port: 0,
  onListen({ port }) {
    console.log(JSON.stringify({ port }))
  },
}
Deno.serve(options, createAnswer())
