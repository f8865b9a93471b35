import { createDispatcher, memoryReplayStore, WebhookError } from '@service-signature/core'
import { instrument } from '@service-signature/core/telemetry'
import { intentEvent, transactionEvent } from '@service-signature/core/testing'
import { createHmac } from 'node:crypto'
import { EventEmitter, once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Registry } from 'prom-client'
import { onTestFinished, vi } from 'vitest'
import { serviceSignature } from '../../src/index.js'

const secret = 'test_signature_key'
const examples = new URL('../../../../examples/monitoring/', import.meta.url)

export const alertsFile = new URL('alerts.yml', examples)
const dashboard = JSON.parse(readFileSync(new URL('dashboard.json', examples), 'utf8')) as {
  panels: { title: string; targets: { expr: string }[] }[]
}

/** The queries of the dashboard, for all endpoints and tenants. */
export const QUERIES = dashboard.panels.flatMap(({ title, targets }) =>
  targets.map(({ expr }) => ({
    title,
    query: expr
      .replaceAll('$endpoint', '.*')
      .replaceAll('$tenant', '.*')
      .replaceAll('$__rate_interval', '30s'),
  })),
)

async function listen(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  onTestFinished(() => {
    server.close().closeAllConnections()
  })
  await once(server, 'listening')
  return `127.0.0.1:${(server.address() as AddressInfo).port}`
}

/**
 * Endpoints with everything that an alert is for, and the metrics of their process.
 *
 * @returns `send` sends each of them one of every delivery, and one to those that are out of order
 */
export async function monitored() {
  const silenced = [vi.spyOn(process, 'emitWarning'), vi.spyOn(console, 'error')]
  for (const spy of silenced) spy.mockReturnValue()
  onTestFinished(() => {
    for (const spy of silenced) spy.mockRestore()
  })
  const registry = new Registry()
  onTestFinished(instrument({ registry }))
  const dispatcher = createDispatcher()
    .on('*', () => undefined)
    .on('intent.*', () => {
      throw new Error('the booking failed')
    })
  const ok = createDispatcher().on('*', () => undefined)
  const fail = () => Promise.reject(new Error('down'))
  const endpoints = await Promise.all(
    [
      { name: 'payments', secret, dispatcher, replay: memoryReplayStore(), onFailed: () => undefined },
      { name: 'wrong-secret', secret: 'another_key', dispatcher },
      { name: 'broken-store', secret, dispatcher, replay: { claim: fail, commit: fail, release: fail } },
    ].map((options) => listen(serviceSignature(options))),
  )
  const hangUps = new EventEmitter()
  const claimed = { claim: () => ({ status: 'new', token: '1' }) as const, release: fail }
  const failing = (error: unknown) => createDispatcher().on('*', () => Promise.reject(error as Error))
  const outages = await Promise.all(
    [
      { name: 'no-secret', secret: fail, dispatcher: ok },
      { name: 'forgetful-store', secret, dispatcher: ok, replay: { ...claimed, commit: fail } },
      {
        name: 'held-claim',
        secret,
        dispatcher: ok,
        replay: { ...claimed, claim: () => ({ status: 'in-progress', token: '' }) as const, commit: fail },
      },
      // As an inbox whose keys are locked.
      { name: 'locked-inbox', secret, dispatcher: failing(new WebhookError('ERR_DELIVERY_IN_PROGRESS')) },
      {
        name: 'endless-handler',
        secret,
        replay: { ...claimed, commit: () => undefined, leaseSeconds: 0.001 },
        dispatcher: createDispatcher().on('*', () => {
          hangUps.emit('now')
          return new Promise<void>(() => undefined)
        }),
      },
    ].map((options) => listen(serviceSignature(options))),
  )
  const metrics = await listen((_req, res) => {
    void registry.metrics().then((text) => res.setHeader('Content-Type', registry.contentType).end(text))
  })
  const post = (host: string, body: string, t: number, signal: AbortSignal | null = null) =>
    fetch(`http://${host}/`, {
      method: 'POST',
      body,
      headers: { 'Service-Signature': sign(body, t) },
      signal,
    })
  let sent = 0
  const send = async () => {
    sent += 1
    const now = Math.floor(Date.now() / 1000)
    const bodies = [
      JSON.stringify(transactionEvent({ intent: { id: `int_${sent}` } })),
      JSON.stringify(intentEvent({ data: { intent_id: `int_${sent}` } })),
      `{"type":"card_token.created","id":${sent}}`,
    ]
    for (const host of endpoints) {
      for (const body of bodies) await post(host, body, now)
      await post(host, bodies[0]!, now)
      await post(host, bodies[0]!, now - 86_400)
    }
    const hangUp = new AbortController()
    hangUps.once('now', () => {
      hangUp.abort()
    })
    for (const host of outages) {
      await post(host, bodies[0]!, now, hangUp.signal).catch(() => undefined)
    }
  }
  return { metrics, send, text: () => registry.metrics() }
}

/** Made with `node:crypto` alone. */
function sign(body: string, t: number): string {
  const text = Buffer.from(body).toString('base64') + String(t)
  return `t=${t},v3=${createHmac('sha256', secret).update(text).digest('hex')}`
}
