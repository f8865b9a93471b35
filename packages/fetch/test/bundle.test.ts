import { transform } from 'esbuild'
import { createContext, runInContext } from 'node:vm'
import { gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import { bundleForWorkers, type Bundle } from './support/bundle.js'
import { delivery, event, secret, sign, timestamp, transaction } from './support/deliveries.js'

/**
 * Minified and compressed. The aims are 17,900 and 12,900, which the rules of `expect`, the failures of handlers and the
 * limit of a body that lies about its length exceed. They must not grow further.
 */
const MAX_BYTES = 18_550
const MAX_BYTES_OF_VERIFY = 13_250

/** Globals of Node that edge runtimes lack: the list of Next, whose builds warn of them, and code made from text. */
const NOT_ON_EDGES = [
  ...['Buffer', 'clearImmediate', 'global', 'setImmediate', '__dirname', '__filename', 'eval', 'Function'],
  ...['BroadcastChannel', 'MessageChannel', 'MessageEvent', 'MessagePort'],
  ...['ByteLengthQueuingStrategy', 'CountQueuingStrategy', 'CompressionStream', 'DecompressionStream'],
  ...['ReadableByteStreamController', 'ReadableStreamBYOBRequest', 'ReadableStreamDefaultController'],
  ...['TransformStreamDefaultController', 'WritableStreamDefaultController'],
]

let bundle: Bundle
beforeAll(async () => {
  bundle = await bundleForWorkers("export { serviceSignature } from '@service-signature/fetch'")
})

describe('a bundle for Workers', () => {
  it('imports nothing', () => {
    expect(bundle.imports).toEqual([])
    expect(bundle.code.match(/node:.{0,40}|\b(?:import|require)\s*[({"'*].{0,40}/g)).toBeNull()
  })

  it('does not use the global process, most of which the edge runtime of Next refuses', () => {
    // But for the message that recommends a function.
    const code = bundle.code.replaceAll('() => process.env.', '')
    expect(code.match(/.{0,40}\bprocess\b.{0,40}/g)).toBeNull()
  })

  it('uses no other global that edge runtimes lack', () => {
    const global = new RegExp(`(?<![.\\w$])(?:${NOT_ON_EDGES.join('|')})(?![\\w$]).{0,40}`, 'g')
    expect('x=Buffer.from(y)'.match(global)).toHaveLength(1)
    expect(bundle.code.match(global)).toBeNull()
  })

  it('uses Web Crypto, and leaves out the code for Node', () => {
    const paths = bundle.modules.map(([path]) => path)
    expect(paths).toContain('core/src/signature/hmac/web.ts')
    expect(paths.filter((path) => path.includes('hono'))).toEqual([])
    for (const path of [
      'core/src/signature/hmac/node.ts',
      'core/src/explain.ts',
      'core/src/receive/node-host.ts',
    ]) {
      expect(paths).not.toContain(path)
    }
  })

  it(`has at most ${MAX_BYTES} bytes by gzip`, () => {
    expectAtMost(MAX_BYTES, bundle)
  })
})

it(`a bundle of verify alone has at most ${MAX_BYTES_OF_VERIFY} bytes by gzip`, async () => {
  const ofVerify = await bundleForWorkers("export { verify } from '@service-signature/core'")
  expect(ofVerify.modules.map(([path]) => path)).toContain('core/src/signature/hmac/web.ts')
  expectAtMost(MAX_BYTES_OF_VERIFY, ofVerify)
})

function expectAtMost(most: number, { code, modules }: Bundle): void {
  const parts = modules.map(([path, bytes]) => `${String(bytes).padStart(6)} ${path}`)
  expect(gzipSync(code).length, `minified, by module:\n${parts.join('\n')}\n`).toBeLessThanOrEqual(most)
}

it('a bundle of the middleware for Hono imports nothing, and contains only the exception of Hono', async () => {
  const { imports, modules } = await bundleForWorkers("export * from '@service-signature/fetch/hono'")
  expect(imports).toEqual([])
  const ofHono = modules.map(([path]) => path).filter((path) => path.includes('node_modules/hono/'))
  expect(ofHono).toEqual([expect.stringMatching(/\/http-exception\.js$/)])
})

describe('the bundle in a context that has only web APIs', () => {
  type Serve = (request: Request) => Promise<Response>
  let handled: { readonly event: unknown }[]
  let serve: Serve

  beforeAll(async () => {
    // The same code as a script, because a vm context cannot run a module.
    const { code } = await transform(bundle.code, { format: 'iife', globalName: 'adapter' })
    handled = []
    const context = createContext({
      ...{ crypto, performance, console, setTimeout, clearTimeout, atob, btoa },
      ...{ TextEncoder, TextDecoder, Request, Response, Headers, AbortController, ReadableStream },
      ...{ secret, handled, now: () => timestamp * 1000 },
    })
    serve = runInContext(
      `${code}; adapter.serviceSignature({ secret, now }, (webhook) => { handled.push(webhook) })`,
      context,
    ) as Serve
    expect(runInContext('typeof process + typeof Buffer + typeof setImmediate', context)).toBe(
      'undefined'.repeat(3),
    )
  })

  it('accepts a valid delivery', async () => {
    const { status } = await serve(delivery())
    expect(status).toBe(204)
    expect(handled).toHaveLength(1)
    expect(JSON.parse(JSON.stringify(handled[0]!.event))).toEqual({
      shape: 'transaction',
      type: 'transaction.purchase.successful',
      apiVersion: event.api_version,
      payload: event,
    })
  })

  it.each([
    ['a forged one', () => delivery({ signature: sign(transaction, { key: 'another_key' }) }), 401],
    ['a changed one', () => delivery({ stream: `${String(transaction)} ` }), 401],
    ['one that declares a greater length', () => delivery({ headers: { 'Content-Length': '99999' } }), 400],
  ])('refuses %s', async (_what, request, status) => {
    const before = handled.length
    const answer = await serve(request())
    expect({ status: answer.status, type: answer.headers.get('content-type') }).toEqual({
      status,
      type: 'application/problem+json',
    })
    expect(handled).toHaveLength(before)
  })
})
