// Linted by versions.service.test.ts, to show that the rule would report a middleware that returns a promise; never run.
import express, { type NextFunction, type Request, type Response } from 'express'

async function middleware(_req: Request, _res: Response, next: NextFunction): Promise<void> {
  await Promise.resolve()
  next()
}

express().post('/webhooks', middleware)
