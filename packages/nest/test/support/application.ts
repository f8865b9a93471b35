import {
  Logger,
  Module,
  type INestApplication,
  type LoggerService,
  type ModuleMetadata,
  type NestApplicationOptions,
} from '@nestjs/common'
import { NestFactory, type AbstractHttpAdapter } from '@nestjs/core'
import { ExpressAdapter } from '@nestjs/platform-express'
import { FastifyAdapter } from '@nestjs/platform-fastify'
import { signedRequest, transactionEvent } from '@service-signature/core/testing'
import { unparsed } from '@service-signature/nest'
import { beforeEach, onTestFinished, vi } from 'vitest'

export const SECRET = 'test_signature_key'

export const PLATFORMS = [
  ['Express', () => new ExpressAdapter()],
  ['Fastify', () => new FastifyAdapter()],
] as const satisfies [string, () => AbstractHttpAdapter][]

/** Records Nest's log instead of printing it. */
export function recordLog() {
  const log = { log: vi.fn(), warn: vi.fn(), error: vi.fn() } satisfies LoggerService
  beforeEach(() => {
    vi.clearAllMocks()
    // Set in each application, because @nestjs/testing overrides it.
    Logger.overrideLogger(log)
  })
  return log
}

/** An application of one module, not yet listening. Nest's parsers leave the bodies of a path to the guard. */
export async function create(
  metadata: ModuleMetadata,
  adapter: AbstractHttpAdapter = new ExpressAdapter(),
  options: NestApplicationOptions & { readonly unparsedPath?: string } = {},
): Promise<INestApplication> {
  const { unparsedPath = '/webhooks', ...others } = options
  @Module(metadata)
  class AppModule {}
  const app = await NestFactory.create(AppModule, adapter, {
    abortOnError: false,
    ...others,
  })
  app.use(unparsedPath, unparsed)
  onTestFinished(() => app.close())
  return app
}

/** The answer of an application. */
export interface Answer {
  readonly status: number
  readonly text: string
  readonly headers: Headers
}

export interface Sent {
  readonly path?: string
  readonly payload?: unknown
  readonly secret?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly timestamp?: number
}

/** Sends a signed delivery. The application listens from then on. */
export async function deliver(app: INestApplication, sent: Sent = {}): Promise<Answer> {
  const { path = '/webhooks', payload = transactionEvent(), secret = SECRET, headers, timestamp } = sent
  const request = signedRequest(payload, { secret, ...(timestamp !== undefined && { timestamp }) })
  return post(app, path, request.body, { ...request.headers, ...headers })
}

/** Posts anything. The application listens from then on. */
export async function post(
  app: INestApplication,
  path: string,
  body: string,
  headers: Readonly<Record<string, string>> = { 'Content-Type': 'application/json' },
): Promise<Answer> {
  const server = app.getHttpServer() as { readonly listening: boolean }
  if (!server.listening) await app.listen(0, '127.0.0.1')
  const response = await fetch((await app.getUrl()) + path, { method: 'POST', headers, body })
  return { status: response.status, text: await response.text(), headers: response.headers }
}
