import express from 'express'
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, request, type IncomingMessage, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SignatureHeaderValue } from '@service-signature/core'

/** The places where deliveries are changed: servers, forwarders, files, other languages. */

/** The body and header that a handler gets. */
export interface Received {
  readonly body: string | Uint8Array
  readonly header: SignatureHeaderValue
}

/** Sends a delivery over a socket to a server of Node, and returns the result of its handler. */
async function deliver(
  start: (received: (delivery: Received) => void) => RequestListener,
  body: string | Uint8Array,
  header: string,
  contentType = 'application/json',
): Promise<Received> {
  let delivery: Received | undefined
  const server = createServer(start((received) => (delivery = received))).listen(0, '127.0.0.1')
  await once(server, 'listening')
  await post((server.address() as AddressInfo).port, body, header, contentType)
  server.close()
  await once(server, 'close')
  return delivery!
}

async function post(
  port: number,
  body: string | Uint8Array,
  header: string,
  contentType: string,
): Promise<void> {
  const headers = { 'Content-Type': contentType, 'Service-Signature': header, Connection: 'close' }
  const sent = request({ host: '127.0.0.1', port, method: 'POST', path: '/webhooks', headers }).end(body)
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  await once(response.resume(), 'end')
}

async function bytesOf(req: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of req) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

/** Express, where `make` returns the value that is passed as the body. */
export function inExpress(
  parser: express.RequestHandler,
  make: (req: express.Request) => string | Uint8Array,
  body: string | Uint8Array,
  header: string,
  contentType?: string,
): Promise<Received> {
  return deliver(
    (received) =>
      express()
        .use(parser)
        .post('/webhooks', (req, res) => {
          received({ body: make(req), header: req.get('Service-Signature') })
          res.sendStatus(204)
        }) as RequestListener,
    body,
    header,
    contentType,
  )
}

/** A forwarder before the server, which passes on the result of `make` for the bytes. */
export async function throughForwarder(
  make: (bytes: Buffer) => string | Uint8Array,
  body: string | Uint8Array,
  header: string,
): Promise<Received> {
  let arrived: Received | undefined
  const upstream = createServer((req, res) => {
    void bytesOf(req).then((bytes) => {
      arrived = { body: bytes, header: req.headers['service-signature'] }
      res.end()
    })
  }).listen(0, '127.0.0.1')
  await once(upstream, 'listening')
  await deliver(
    () => (req, res) => {
      void bytesOf(req)
        .then((bytes) =>
          post(
            (upstream.address() as AddressInfo).port,
            make(bytes),
            String(req.headers['service-signature']),
            'application/json',
          ),
        )
        .then(() => res.end())
    },
    body,
    header,
  )
  upstream.close()
  await once(upstream, 'close')
  return arrived!
}

/** Writes a file, calls `edit` with its path, and returns its new content. */
export function throughFile(
  content: string | Uint8Array,
  edit: (path: string) => void = () => undefined,
): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'explain-'))
  try {
    const path = join(folder, 'file')
    writeFileSync(path, content)
    edit(path)
    return readFileSync(path)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** The output of a Python program, byte for byte. */
export function python(program: string, input: string | Uint8Array = ''): Buffer {
  return execFileSync('python3', ['-c', program], { input })
}
