import { spawn, type ChildProcess, type ChildProcessByStdio, type StdioOptions } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { EventEmitter, once } from 'node:events'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { buffer, text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { transformSync } from 'esbuild'
import { afterAll } from 'vitest'
import { intentEvent, transactionEvent } from '@service-signature/core/testing'

const root = new URL('../../', import.meta.url)
export const pathOf = (path: string) => fileURLToPath(new URL(path, root))

export const SECRET = 'test_signature_key'

/** Every example: `express/quick-start.js`. Those for Nest, Prisma and Cloudflare, the demo and `hosts` have tests of their own. */
export const EXAMPLES = readdirSync(pathOf('examples'), { recursive: true, encoding: 'utf8' })
  .filter((path) =>
    /^(?!test\/|nest|prisma|cloudflare|demo|hosts|.*\b(?:node_modules|queues\/test)\/).*\/.*\.[jt]s$/.test(
      path,
    ),
  )
  .sort()

/** An empty project in which the packages are installed as they are built. */
export const folder = mkdtempSync(join(tmpdir(), 'service-signature-examples-'))
symlinkSync(pathOf('node_modules'), join(folder, 'node_modules'))
// Queues and query builders have lock files of their own.
for (const name of ['postgres', 'queues']) {
  mkdirSync(join(folder, name))
  symlinkSync(pathOf(`examples/${name}/node_modules`), join(folder, name, 'node_modules'))
}
writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')

const children = new Set<ChildProcess>()
afterAll(() => {
  for (const child of children) child.kill('SIGKILL')
  rmSync(folder, { recursive: true })
})

/** Starts Node in the folder. The process ends with the tests of the file at the latest. */
export function spawnNode(args: string[], env: Record<string, string> = {}) {
  const stdio: StdioOptions = ['ignore', 'pipe', 'pipe', 'ipc']
  const own = { PATH: process.env['PATH'], NO_COLOR: '1', ...env }
  const child = spawn(process.execPath, args, { cwd: folder, env: own, stdio })
  children.add(child)
  return child as ChildProcessByStdio<null, Readable, Readable>
}

/** Copies an example into the folder, with the files that it imports, as a reader would. */
function copy(example: string): string {
  const path = join(folder, example.replace(/\.ts$/, '.js'))
  // Several programs import the same file, and one of them may be reading it.
  if (existsSync(path)) return path
  const code = readFileSync(pathOf(`examples/${example}`), 'utf8')
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, example.endsWith('.ts') ? transformSync(code, { loader: 'ts' }).code : code)
  for (const [, name] of code.matchAll(/ from '(\.\.?\/.+)\.js'$/gm)) {
    copy(EXAMPLES.find((other) => other.replace(/\.[jt]s$/, '') === join(dirname(example), name!))!)
  }
  return path
}

/**
 * Starts a copy of an example in the folder.
 *
 * @param preload another example, which runs before it
 */
export function start(example: string, env: Record<string, string> = {}, preload?: string) {
  const options = preload === undefined ? [] : ['--import', copy(preload)]
  const child = spawnNode([...options, pathOf('examples/test/run.js'), copy(example)], {
    PORT: '0',
    WEBHOOK_SECRET: SECRET,
    ...env,
  })
  let printed = ''
  const output = new EventEmitter()
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      printed += String(chunk)
      output.emit('more')
    })
  }
  const streams = Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  const ended = streams.then(([stdout, stderr]) => ({ code: child.exitCode, stdout, stderr }))
  return {
    ended,
    /** The first port that it listens on. */
    async port(): Promise<number> {
      const early = ended.then(({ stderr }) => Promise.reject(new Error(`it does not listen:\n${stderr}`)))
      return Promise.race([once(child, 'message').then(([port]) => port as number), early])
    },
    /** Waits until it has printed this: some loggers print after the answer is sent. */
    async prints(pattern: RegExp): Promise<void> {
      while (!pattern.test(printed) && child.exitCode === null) {
        await Promise.race([once(output, 'more'), ended])
      }
    },
    /** Ends it, without warning by default, and resolves to what it printed until then. */
    end(signal: NodeJS.Signals = 'SIGKILL') {
      child.kill(signal)
      return ended
    },
  }
}

export interface Delivery {
  readonly body: string
  readonly signature?: string
}

/** The digest of v3, made only by `node:crypto`. */
function digest(body: Buffer | string, secret: string, timestamp: string): string {
  const message = Buffer.from(body).toString('base64') + timestamp
  return createHmac('sha256', secret).update(message).digest('hex')
}

export function sign(event: object, secret: string): Delivery & { signature: string } {
  const body = JSON.stringify(event)
  const timestamp = String(Math.floor(Date.now() / 1000))
  return { body, signature: `t=${timestamp},v3=${digest(body, secret, timestamp)}` }
}

/** One delivery of each shape of event. */
export function valid(secret: string, id: string): Delivery[] {
  const events = [
    transactionEvent({ intent: { id } }),
    intentEvent({ data: { intent_id: id, intent: { id } } }),
    { type: 'something.new', id },
  ]
  return events.map((event) => sign(event, secret))
}

/** Changed after it was signed, signed with another key, and not signed. */
export function forged(secret: string): Delivery[] {
  const event = transactionEvent({ intent: { id: 'id_of_a_forgery' } })
  const { body, signature } = sign(event, secret)
  return [
    { body: body.replace('id_of_a_forgery', 'id_of_a_forgery_too'), signature },
    sign(event, 'another_key'),
    { body },
  ]
}

/** Sends it, and resolves to the status of the answer. */
export async function send(url: string, { body, signature }: Delivery): Promise<number> {
  const headers = {
    'Content-Type': 'application/json',
    ...(signature !== undefined && { 'Service-Signature': signature }),
  }
  const response = await fetch(url, { method: 'POST', headers, body })
  await response.arrayBuffer()
  return response.status
}

/** An endpoint for examples that send. It answers 204, and records whether each delivery is signed with `SECRET`. */
export async function startReceiver() {
  const received: boolean[] = []
  const server = createServer((request, response) => {
    void buffer(request).then((body) => {
      const header = String(request.headers['service-signature'])
      const timestamp = /^t=(\d+),/.exec(header)?.[1] ?? ''
      received.push(header.includes(`v3=${digest(body, SECRET, timestamp)}`))
      response.writeHead(204, { Connection: 'close' }).end()
    })
  }).listen(0)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { port: String(port), received, server }
}

/** The output of an example on a page: the block without a language right below it. */
export function shownOutput(page: string, example: string): string {
  const [, below = ''] = readPage(page).split(`<!-- example: examples/${example} -->`)
  return /^\s+```js\n[^]*?^```\n\n```\n([^]*?)^```$/m.exec(below)![1]!
}

export const readPage = (page: string) => readFileSync(pathOf(page), 'utf8')

// Ids, times and ports differ with each run.
const VARYING = [
  [/\bt=1[0-9]{9}\b/g, 't=<time>'],
  [/\b\d+ ms\b/g, '<n> ms'],
  [/\bsigned [01] s ago\b/g, 'signed 0 s ago'],
  [/\b(127\.0\.0\.1|localhost):\d+/g, '$1:<port>'],
] as const

/** Replaces the parts that differ in each run. */
export function constant(output: string): string {
  return VARYING.reduce((result, [pattern, name]) => result.replaceAll(pattern, name), output).trimEnd()
}

/** Matches the output that a page shows: "..." on a line of its own stands for lines, within a line for a part of it. */
export function patternOf(shown: string): RegExp {
  const escaped = constant(shown).replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
  // Each line in one way only: what does not match is found out at once.
  const lines = escaped
    .replaceAll(/^ *\\\.\\\.\\\.\n/gm, '(?:.*\n)*?')
    .replace(/^ *\\\.\\\.\\\.$(?![^])/m, '[^]*')
  return new RegExp(`^${lines.replaceAll(String.raw`\.\.\.`, '.*')}$`)
}
