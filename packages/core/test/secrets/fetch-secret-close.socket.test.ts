import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import ts from 'typescript'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import type { FetchFunction } from '../../src/secrets/fetched/options.js'
import { sleep } from '../../src/time-limit.js'
import { hang, SECRET, secretAnswer, startPaymentService, status } from './support/payment-service.js'
import { API_KEY, createTestSource, refusalOf } from './support/source.js'

/** The answer of S4.2 without a network, and as few steps later as can be. */
const answerAtOnce: FetchFunction = () => {
  const body = JSON.stringify({ status: { code: 200 }, data: { webhook_signature_secret: SECRET } })
  const chunks = [new TextEncoder().encode(body)]
  const read = (): Promise<{ value?: Uint8Array | undefined }> => Promise.resolve({ value: chunks.shift() })
  return Promise.resolve({
    status: 200,
    type: 'basic',
    headers: new Headers(),
    body: { getReader: () => ({ read }) },
  })
}

const closed = 'The secret source is closed: close() was called.'

describe('close', () => {
  it('refuses whoever waits, and gives up the connection', async () => {
    const service = await startPaymentService(hang)
    const { source } = createTestSource({ baseUrl: service.baseUrl, timeoutSeconds: 300 })
    const waiting = [source.get(), source.prime(), source.refresh()].map(refusalOf)
    const request = await service.nextRequest()
    source.close()
    for (const error of await Promise.all(waiting)) expect(error.message).toContain(closed)
    expect(await request.closed).toEqual({ wholeAnswer: false, bytes: 0 })
    expect(service.requests).toHaveLength(1)
  })

  it('refuses whoever comes, though there was a secret, and forgets that', async () => {
    const service = await startPaymentService(secretAnswer())
    const { source } = createTestSource({ baseUrl: service.baseUrl })
    await source.prime()
    source.close()
    source.close()
    for (const ask of [source.get, source.prime, source.refresh]) {
      expect((await refusalOf(ask())).message).toContain(closed)
    }
    expect(source.cachedAt).toBeUndefined()
    expect(service.requests).toHaveLength(1)
  })

  it('ends a call in the background, whose end nobody waits for', async () => {
    const service = await startPaymentService(secretAnswer(), status(401), hang)
    const { source, pass } = createTestSource({ baseUrl: service.baseUrl, maxAgeSeconds: 60 })
    await source.prime()
    pass(61)
    await expect(source.get()).resolves.toBe(SECRET)
    pass(10)
    await expect(source.get()).resolves.toBe(SECRET)
    for (let i = 0; i < 2; i++) await service.nextRequest()
    const request = await service.nextRequest()
    source.close()
    expect(await request.closed).toMatchObject({ wholeAnswer: false })
  })

  it('forgets the secret at whatever moment of a call it comes', async () => {
    let resolved = 0
    const moments = 50
    for (let moment = 0; moment < moments; moment++) {
      const { source } = createTestSource({ fetch: answerAtOnce })
      const secret = source.get().catch(() => undefined)
      for (let i = 0; i < moment; i++) await Promise.resolve()
      source.close()
      if ((await secret) === SECRET) resolved++
      expect(source.cachedAt).toBeUndefined()
    }
    expect(resolved).toBeGreaterThan(0)
    expect(resolved).toBeLessThan(moments)
  })

  it('need not clear a timer once a call is over: there is none', async () => {
    vi.useFakeTimers()
    onTestFinished(() => {
      vi.useRealTimers()
    })
    const cache = { get: () => null, set: () => undefined }
    await createTestSource({ fetch: answerAtOnce, cache }).source.prime()
    await refusalOf(createTestSource({ fetch: () => Promise.reject(new Error('no')) }).source.prime())
    const pause = sleep(1, new AbortController().signal)
    expect(vi.getTimerCount()).toBe(1)
    vi.advanceTimersByTime(1000)
    await pause
    expect(vi.getTimerCount()).toBe(0)
  })

  it('ends a pause before a retry', async () => {
    const controller = new AbortController()
    const pause = sleep(300, controller.signal)
    controller.abort(new Error('closed'))
    await expect(pause).rejects.toThrow('closed')
    await expect(sleep(300, controller.signal)).rejects.toThrow('closed')
  })

  it('ends a call that asks a shared cache', async () => {
    const service = await startPaymentService(secretAnswer())
    const cache = { get: () => new Promise<never>(() => undefined), set: () => undefined }
    const { source } = createTestSource({ baseUrl: service.baseUrl, cache })
    const waiting = refusalOf(source.get())
    source.close()
    expect((await waiting).message).toContain(closed)
    expect(service.requests).toHaveLength(0)
  })
})

describe('a process', () => {
  const sources = fileURLToPath(new URL('../../src/', import.meta.url))
  let folder: string

  /** Plain JavaScript of the sources, so that the child process has nothing in it but them and Node. */
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

  /** Resolves to what it printed once it has ended by itself, with exit code 0. */
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

  it('that primes and closes has nothing left, and ends', async () => {
    const service = await startPaymentService(secretAnswer())
    const left = await run(
      service.baseUrl,
      `await source.prime()
      source.close()
      setImmediate(() => print(process.getActiveResourcesInfo().filter((name) => /Timeout|TCP/.test(name))))`,
    )
    expect(left).toEqual([])
    expect(service.requests).toHaveLength(1)
  })

  it('that closes in the middle of a call ends too, long before the time-out', async () => {
    const service = await startPaymentService(hang)
    const message = await run(
      service.baseUrl,
      `onFetch = (...request) => {
        setImmediate(() => source.close())
        return fetch(...request)
      }
      await source.prime().catch((error) => print(error.message))`,
    )
    expect(message).toContain(closed)
  })

  it('that has its secret ends though nobody closes', async () => {
    const service = await startPaymentService(secretAnswer())
    await expect(run(service.baseUrl, 'print(await source.get())')).resolves.toBe(SECRET)
  })
})
