import type { ErrorRequestHandler, Express } from 'express'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/** Serves an application until the test ends. Returns its origin. */
export async function serveExpress(app: Express): Promise<string> {
  // Express's own handler of errors writes each of them to the log.
  app.use(((error: { status?: number }, _req, res, next) => {
    if (res.headersSent) next(error)
    else res.sendStatus(error.status ?? 500)
  }) satisfies ErrorRequestHandler)
  const server = app.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(async () => {
    const closed = once(server.close(), 'close')
    server.closeAllConnections()
    await closed
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
