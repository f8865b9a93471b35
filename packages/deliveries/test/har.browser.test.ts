import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { expect, it, onTestFinished } from 'vitest'
import { isMissing } from '../../../test/contract/src/services.js'
import { launchChromium } from '../../../sandbox/test/support/chromium.js'
import { readDeliveries } from '../src/index.js'
import { readRecordings } from '../src/recordings.js'

const header = 't=1743090080,v3=abc'

interface Received {
  readonly url: string
  readonly body: Buffer
}

/** A server that takes down what it is sent. */
async function startServer(): Promise<{ readonly url: string; readonly received: readonly Received[] }> {
  const received: Received[] = []
  const server = createServer((request, response) => {
    void buffer(request).then((body) => {
      if (request.method === 'POST') received.push({ url: request.url!, body })
      response.writeHead(request.method === 'POST' ? 204 : 200, { 'Content-Type': 'text/html' }).end()
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received }
}

it.skipIf(isMissing('chromium'))(
  'reads the HAR that a browser records, also of a request without a body',
  async () => {
    const { url, received } = await startServer()
    const folder = mkdtempSync(join(tmpdir(), 'service-signature-'))
    const path = join(folder, 'recorded.har')
    const browser = await launchChromium()
    onTestFinished(async () => {
      await browser.close()
      rmSync(folder, { recursive: true })
    })
    const context = await browser.newContext({ recordHar: { path } })
    const page = await context.newPage()
    await page.goto(url)
    await page.evaluate(async (header) => {
      const headers = { 'Service-Signature': header, 'Content-Type': 'application/json' }
      const body = '{"name": "Zo\u00eb \u{1f600}",\n "amount": 10.0}'
      await fetch('/text', { method: 'POST', headers, body })
      await fetch('/nothing', { method: 'POST', headers })
      await fetch('/unsigned', { method: 'POST', body })
    }, header)
    await context.close()

    const deliveries = readDeliveries(readFileSync(path))
    expect(deliveries.map(({ header }) => header)).toEqual([header, header])
    expect(deliveries.map(({ body }) => Buffer.from(body))).toEqual(
      received.filter(({ url }) => url !== '/unsigned').map(({ body }) => body),
    )
    const [text, nothing] = await readRecordings(path)
    expect(text).toMatchObject({ type: '(no type)', method: 'POST', status: 204, faults: [] })
    expect(nothing).toMatchObject({ file: 'recorded.har#2', body: new Uint8Array() })
  },
)
