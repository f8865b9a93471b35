import type { ErrorRequestHandler, Express } from 'express'
import { createServer } from 'node:http'
import { serve } from './serve.js'

/** Serves an application until the test ends. Returns its origin. */
export async function serveExpress(app: Express): Promise<string> {
  // Express's own handler of errors writes each of them to the log.
  app.use(((error: { status?: number }, _req, res, next) => {
    if (res.headersSent) next(error)
    else res.sendStatus(error.status ?? 500)
  }) satisfies ErrorRequestHandler)
  return serve(createServer(app))
}
