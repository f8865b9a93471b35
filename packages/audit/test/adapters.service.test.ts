import { server as createServer } from '@hapi/hapi'
import { listen, type Running } from '@service-signature/contract'
import { memoryReplayStore, type Version } from '@service-signature/core'
import type { ReceiverOptions } from '@service-signature/core/receiver'
import { serviceSignature as forExpress } from '@service-signature/express'
import { serviceSignature as forHapi, type WebhookRefs } from '@service-signature/hapi'
import { serviceSignature as forKoa } from '@service-signature/koa'
import express5 from 'express'
import express4 from 'express4'
import Koa from 'koa'
import { describe, expect, it, onTestFinished } from 'vitest'
import { apiKey, secret } from './support/truth.js'
import { auditOf, weaknessesOf } from './support/audit.js'

// The options of all adapters.
type Options = Pick<ReceiverOptions<unknown>, 'secret' | 'apiKey' | 'versions' | 'replay'>
type Start = (options: Options) => Promise<Running>

const hosts: readonly (readonly [name: string, start: Start])[] = [
  ['Express 4', (options) => startExpress(express4, options)],
  ['Express 5', (options) => startExpress(express5, options)],
  ['Koa 3', startKoa],
  ['Hapi 21', startHapi],
]

// Each test is some hundred connections.

describe.each(hosts)('an endpoint with the adapter for %s', (_name, start) => {
  it.each([
    ['as it is', () => ({})],
    ['with replay protection', () => ({ replay: memoryReplayStore() })],
  ])('passes all cases: %s', async (_what, options) => {
    expect(await weaknesses(start, { secret, ...options() })).toEqual({})
  })
})

describe('an endpoint that requires other versions', () => {
  it.each<readonly Version[]>([['v1'], ['v2'], ['v1', 'v2'], ['v2', 'v3'], ['v1', 'v2', 'v3']])(
    'passes all cases that are for them: %s %s %s',
    async (...versions) => {
      const start: Start = (options) => startExpress(express5, options)
      const options = { secret, apiKey, versions }
      expect(await weaknesses(start, options, versions)).toEqual({})
    },
  )
})

async function weaknesses(
  start: Start,
  options: Options,
  versions: readonly Version[] = ['v3'],
): Promise<object> {
  const { port, close } = await start(options)
  onTestFinished(close)
  const report = await auditOf(`http://127.0.0.1:${port}/webhooks`, { versions })
  expect(report.cases.length).toBeGreaterThanOrEqual(60)
  return weaknessesOf(report)
}

function startExpress(express: typeof express5, options: Options): Promise<Running> {
  const app = express()
  app.post('/webhooks', forExpress(options), (_req, res) => {
    res.sendStatus(204)
  })
  return listen(app)
}

function startKoa(options: Options): Promise<Running> {
  const app = new Koa()
  app.silent = true
  app.use(forKoa(options))
  app.use((ctx) => {
    ctx.status = 204
  })
  return listen(app.callback())
}

async function startHapi(options: Options): Promise<Running> {
  const server = createServer({ host: '127.0.0.1', debug: false })
  await server.register({ plugin: forHapi, options })
  server.route<WebhookRefs>({
    method: 'POST',
    path: '/webhooks',
    options: { auth: 'service-signature', payload: { parse: false, output: 'data' } },
    handler: (_request, h) => h.response().code(204),
  })
  await server.start()
  return {
    port: Number(server.info.port),
    async close() {
      await server.stop({ timeout: 0 })
    },
  }
}
