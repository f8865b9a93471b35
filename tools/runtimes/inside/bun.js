import { createAnswer } from './answer.js'

/**
 * @typedef {{ fetch: (request: Request) => Promise<Response>, hostname: string, port: number }} Options
 * @typedef {{ Bun: { serve(options: Options): { port: number } } }} WithBun
 */
const { Bun } = /** @type {WithBun} */ (/** @type {unknown} */ (globalThis))

const { port } = Bun.serve({ fetch: createAnswer(), hostname: '127.0.0.1', port: 0 })
console.log(JSON.stringify({ port }))
