import { listen } from '@service-signature/contract'
import Koa3 from 'koa'
import Koa2 from 'koa2'
import { onTestFinished } from 'vitest'

export { options, refused, send, valid } from '../../../core/test/support/requests.js'

export const versions = [
  ['Koa 2', Koa2],
  ['Koa 3', Koa3],
] as const

/** Resolves to the origin of a server that runs until the test ends. */
export async function serve(app: Koa3): Promise<string> {
  const server = await listen(app.callback())
  onTestFinished(() => server.close())
  return `http://127.0.0.1:${server.port}`
}
