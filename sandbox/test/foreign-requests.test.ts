import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import { expect, it } from 'vitest'
import { Service } from './support/service.js'

const FILES = [
  'GET /',
  'GET /deliveries/dlv_x/',
  'GET /assets/x.js',
  'GET /sdk.js',
  'GET /vault/form/x/',
  'GET /vault/card-form/',
  'GET /vault/assets/form/form.js',
  'GET /vault/assets/sdk/card-form.js',
  'GET /no-such-path',
]

/** Every route of the document, with "x" for its parameters, and the files for browsers. */
function routesOf(service: Service): readonly (readonly [method: string, path: string])[] {
  const listed = Object.entries(service.document.openApi.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replace(/\{[^}]+\}/g, 'x')}`),
  )
  return [...listed, ...FILES].map((route) => route.split(' ') as [string, string])
}

async function statusOf(service: Service, method: string, path: string, headers: Record<string, string>) {
  const { port } = new URL(service.sandbox.url)
  const setHost = headers['Host'] === undefined
  const sent = request({ host: '127.0.0.1', port, method, path, headers, setHost, agent: false }).end()
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  response.destroy()
  const allowed = response.headers['access-control-allow-origin']
  return { status: response.statusCode, allowed }
}

it('no route answers under another host name', async () => {
  const service = await Service.start()
  const routes = routesOf(service)
  expect(routes.length).toBeGreaterThan(50)
  const headers = { Host: 'evil.example', 'X-Api-Key': service.sandbox.apiKeys.account }
  for (const [method, path] of routes) {
    expect((await statusOf(service, method, path, headers)).status, `${method} ${path}`).toBe(403)
  }
})

it('a page of another origin can change nothing without a key, and read only what the SDK needs', async () => {
  const service = await Service.start()
  const readable = []
  for (const [method, path] of routesOf(service)) {
    const { status, allowed } = await statusOf(service, method, path, { Origin: 'https://evil.example' })
    const isControl = path.startsWith('/_sandbox/') && method !== 'GET'
    if (isControl) expect(status, `${method} ${path}`).toBe(403)
    if (allowed !== undefined) readable.push(`${method} ${path}`)
  }
  expect(readable.sort()).toEqual([
    'GET /sdk.js',
    'OPTIONS /vault/card-intents/x/card-token/',
    'OPTIONS /vault/intents/x/pay/',
    'POST /vault/card-intents/x/card-token/',
    'POST /vault/intents/x/pay/',
  ])
})
