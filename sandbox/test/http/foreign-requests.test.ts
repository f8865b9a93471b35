import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import { expect, it } from 'vitest'
import { Service } from '../support/service.js'

const FILES = [
  '/',
  '/deliveries/dlv_x/',
  '/assets/x.js',
  '/sdk.js',
  '/vault/form/x/',
  '/vault/card-form/',
  '/vault/assets/form/form.js',
  '/vault/assets/sdk/card-form.js',
  '/no-such-path',
]

/** Calls every route of the document, with "x" for its parameters, and the files for browsers. */
async function statusesOf(service: Service, headers: Record<string, string>) {
  const files = FILES.map((path) => ({ method: 'GET', path }))
  const routes = [...service.document.operations, ...files]
  expect(routes.length).toBeGreaterThan(50)
  const { port } = new URL(service.sandbox.url)
  const setHost = headers['Host'] === undefined
  const answers = []
  for (const { method, path } of routes) {
    const sent = request({ host: '127.0.0.1', port, method, path, headers, setHost, agent: false }).end()
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    response.destroy()
    const isReadable = response.headers['access-control-allow-origin'] !== undefined
    answers.push({ method, path, status: response.statusCode, isReadable })
  }
  return answers
}

it('no route answers under another host name', async () => {
  const service = await Service.start()
  const headers = { Host: 'evil.example', 'X-Api-Key': service.sandbox.apiKeys.account }
  for (const { method, path, status } of await statusesOf(service, headers))
    expect(status, `${method} ${path}`).toBe(403)
})

it('a page of another origin can change nothing without a key, and read only what the SDK needs', async () => {
  const service = await Service.start()
  const answers = await statusesOf(service, { Origin: 'https://evil.example' })
  for (const { method, path, status } of answers)
    if (path.startsWith('/_sandbox/') && method !== 'GET') expect(status, `${method} ${path}`).toBe(403)
  const readable = answers
    .filter(({ isReadable }) => isReadable)
    .map(({ method, path }) => `${method} ${path}`)
  expect(readable.sort()).toEqual([
    'GET /sdk.js',
    'OPTIONS /vault/card-intents/x/card-token/',
    'OPTIONS /vault/intents/x/pay/',
    'POST /vault/card-intents/x/card-token/',
    'POST /vault/intents/x/pay/',
  ])
})
