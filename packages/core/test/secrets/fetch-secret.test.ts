import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import ts from 'typescript'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { fetchSecret, type FetchedSecretSource } from '../../src/secrets/fetch-secret.js'
import { hang, secretAnswer, startPaymentService, status, type Answer } from './support/local-service.js'
import { API_KEY, holdTimeouts, refusalOf, SECRET } from './support/service.js'

function sourceAt(baseUrl: string): FetchedSecretSource {
  return fetchSecret({ baseUrl, apiKey: API_KEY })
}

const cutOff: Answer = (response) => {
  response.writeHead(200, { 'Content-Length': 1000 })
  response.write(`{"data":{"webhook_signature_secret":"${SECRET}"`, () => {
    response.destroy()
  })
}

describe('fetchSecret over the network', () => {
  it('gets the secret by one GET with the key in X-Api-Key', async () => {
    const service = await startPaymentService(secretAnswer())
    await expect(sourceAt(service.baseUrl).get()).resolves.toBe(SECRET)
    expect(service.requests).toHaveLength(1)
    expect(service.requests[0]).toMatchObject({
      method: 'GET',
      url: '/api/v1/organizations/get-webhook-signature-key/',
      headers: { 'x-api-key': API_KEY, accept: 'application/json' },
    })
  })

  it.each([300, 301, 302, 303, 307, 308])('does not follow a redirect with %d', async (code) => {
    const target = await startPaymentService(secretAnswer())
    const service = await startPaymentService(status(code, { Location: target.baseUrl }))
    const error = await refusalOf(sourceAt(service.baseUrl).get())
    expect(error.message).toContain('with a redirect, which is not followed')
    expect(service.requests).toHaveLength(1)
    expect(target.requests).toHaveLength(0)
  })

  it('reports a connection that is refused', async () => {
    const service = await startPaymentService(secretAnswer())
    await service.stop()
    const { message } = await refusalOf(sourceAt(service.baseUrl).get())
    expect(message).toMatch(/could not be reached: fetch failed: .*ECONNREFUSED.*\. Check "baseUrl"/)
  })

  it('reports half a body', async () => {
    const service = await startPaymentService(cutOff)
    const { message } = await refusalOf(sourceAt(service.baseUrl).get())
    expect(message).toContain('broke off: terminated: other side closed.')
  })

  it('repeats nothing of an answer that is not HTTP, although the error of Node contains its bytes', async () => {
    const server = await startRawServer((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${SECRET}\r\n${SECRET}`)
    })
    expect((await refusalOf(sourceAt(server).get())).message).toMatch(/broke off|could not be reached/)
  })

  it('closes the connection of an answer of 10 MB long before it is sent', async () => {
    const all = 10 * 1024 * 1024
    const service = await startPaymentService((response) => {
      const chunk = Buffer.alloc(16 * 1024, ' ')
      let left = all
      const send = (): void => {
        while (left > 0) {
          left -= chunk.length
          if (!response.write(chunk)) {
            response.once('drain', send)
            return
          }
        }
        response.end()
      }
      send()
    })
    const error = await refusalOf(sourceAt(service.baseUrl).get())
    expect(error.message).toContain('the answer is longer than 64 KiB')
    const { wholeAnswer, bytes } = await service.requests[0]!.closed
    expect(wholeAnswer).toBe(false)
    expect(bytes).toBeLessThan(all)
  })

  it.each<[slowness: string, answer: Answer]>([
    ['without an answer', hang],
    [
      'after the headers',
      (response) => {
        response.writeHead(200, { 'Content-Length': 100 }).flushHeaders()
      },
    ],
  ])('closes a connection that hangs %s', async (_, answer) => {
    const timeouts = holdTimeouts()
    const service = await startPaymentService(answer)
    const refusal = refusalOf(sourceAt(service.baseUrl).get())
    const timeout = await timeouts.next()
    const request = await service.nextRequest()
    timeout.elapse()
    expect((await refusal).message).toContain('did not answer within 5 s')
    expect(await request.closed).toMatchObject({ wholeAnswer: false })
  })

  it('closes its connection when the source is closed', async () => {
    const service = await startPaymentService(hang)
    const source = sourceAt(service.baseUrl)
    const refusal = refusalOf(source.get())
    const request = await service.nextRequest()
    source.close()
    expect((await refusal).message).toContain('The secret source is closed')
    expect(await request.closed).toEqual({ wholeAnswer: false, bytes: 0 })
  })

  it('lets a request go that hangs after its time', async () => {
    const service = await startPaymentService(hang)
    const source = fetchSecret({ baseUrl: service.baseUrl, apiKey: API_KEY, timeoutSeconds: 0.01 })
    expect((await refusalOf(source.get())).message).toContain('did not answer within 0.01 s')
  })
})

describe('a process', () => {
  const sources = fileURLToPath(new URL('../../src/', import.meta.url))
  let folder: string

  /** Plain JavaScript of the sources, so that the child process runs nothing else. */
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'fetch-secret-'))
    await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
    const options = { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext }
    for (const name of await readdir(sources, { recursive: true })) {
      if (!name.endsWith('.ts')) continue
      const target = join(folder, name.replace(/ts$/, 'js'))
      await mkdir(dirname(target), { recursive: true })
      const text = await readFile(join(sources, name), 'utf8')
      await writeFile(target, ts.transpileModule(text, { compilerOptions: options }).outputText)
    }
  })

  afterAll(() => rm(folder, { recursive: true }))

  /** Resolves to its output once it has ended by itself, with exit code 0. */
  async function run(baseUrl: string, script: string): Promise<unknown> {
    const options = JSON.stringify({ baseUrl, apiKey: API_KEY, timeoutSeconds: 300 })
    const program = join(folder, 'main.js')
    await writeFile(
      program,
      `import { fetchSecret } from './secrets/fetch-secret.js'
      const print = (value) => console.log(JSON.stringify(value))
      const source = fetchSecret({ ...${options}, fetch: (...request) => onFetch(...request) })
      let onFetch = fetch
      ${script}`,
    )
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [program])
    expect(stderr).toBe('')
    return JSON.parse(stdout)
  }

  it('that fetches and closes has no connection left, and ends', async () => {
    const service = await startPaymentService(secretAnswer())
    const left = await run(
      service.baseUrl,
      `await source.prime()
      source.close()
      setImmediate(() => print(process.getActiveResourcesInfo().filter((name) => /TCP/.test(name))))`,
    )
    expect(left).toEqual([])
    expect(service.requests).toHaveLength(1)
  })

  it('that closes in the middle of a call ends without waiting for the time-out', async () => {
    const service = await startPaymentService(hang)
    const message = await run(
      service.baseUrl,
      `onFetch = (...request) => {
        setImmediate(() => source.close())
        return fetch(...request)
      }
      await source.prime().catch((error) => print(error.message))`,
    )
    expect(message).toContain('The secret source is closed')
  })

  it('that has its secret ends without close()', async () => {
    const service = await startPaymentService(secretAnswer())
    await expect(run(service.baseUrl, 'print(await source.get())')).resolves.toBe(SECRET)
  })
})

async function startRawServer(onConnection: (socket: Socket) => void): Promise<string> {
  const sockets: Socket[] = []
  const server = createServer((socket) => {
    sockets.push(socket)
    socket.on('error', () => undefined)
    onConnection(socket)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
