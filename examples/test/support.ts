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

export const readPage = (page: string) => readFileSync(pathOf(page), 'utf8')

/** Whether a page has a name, such as that of an environment variable. */
export const names = (page: string, name: string) => new RegExp(`\\b${name}\\b`).test(readPage(page))

export const SECRET = 'test_signature_key'

/** Every example: `express/quick-start.js`. Those for Cloudflare, the demo, `apps` and `hosts` have tests of their own. */
export const EXAMPLES = readdirSync(pathOf('examples'), { recursive: true, encoding: 'utf8' })
  .filter((path) =>
    /^(?!test\/|apps|cloudflare|demo|hosts|.*\b(?:node_modules|queues\/test)\/).*\/.*\.[jt]s$/.test(path),
  )
  .sort()

const SHOWN = /^<!-- example: examples\/(\S+?)(?:#(\S+))? -->\n+```\w+\n([^]*?)^```$/gm

/** A block of code that a page shows from an example, or from a region of it. */
interface Block {
  readonly example: string
  readonly region: string | undefined
  readonly code: string
}

/** The pages with code, in the order in which a reader comes to them, and their blocks. */
export const PAGES: ReadonlyMap<string, readonly Block[]> = new Map(
  [
    'README.md',
    ...pagesIn('packages', /^\w+\/(?:README|SKILL)\.md$/),
    'sandbox/README.md',
    ...pagesIn('docs', /^[\w-]+\.md$/),
  ].flatMap((page) => {
    const blocks = [...readPage(page).matchAll(SHOWN)]
    if (blocks.length === 0) return []
    return [[page, blocks.map(([, example, region, code]) => ({ example: example!, region, code: code! }))]]
  }),
)

/** The pages that show the whole of an example. */
export function pagesOf(example: string): string[] {
  const shows = (block: Block) => block.example === example && block.region === undefined
  return [...PAGES].flatMap(([page, blocks]) => (blocks.some(shows) ? [page] : []))
}

function pagesIn(folder: string, pattern: RegExp): string[] {
  const paths = readdirSync(pathOf(folder), { recursive: true, encoding: 'utf8' })
  return paths
    .filter((path) => pattern.test(path))
    .map((path) => `${folder}/${path}`)
    .sort()
}

/** An empty project in which the packages are installed as they are built. */
export const folder = mkdtempSync(join(tmpdir(), 'service-signature-examples-'))
symlinkSync(pathOf('node_modules'), join(folder, 'node_modules'))
/** The projects that are made from a page alone. */
const fromPages = mkdtempSync(join(tmpdir(), 'service-signature-pages-'))
// Queues, query builders and the driver of SQLite have a lock file of their own.
const DRIVERS = 'test/drivers'
for (const name of ['postgres', 'queues', 'sqlite']) {
  mkdirSync(join(folder, name))
  symlinkSync(pathOf(`${DRIVERS}/node_modules`), join(folder, name, 'node_modules'))
}
writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')

const children = new Set<ChildProcess>()
afterAll(() => {
  for (const child of children) child.kill('SIGKILL')
  for (const each of [folder, fromPages]) rmSync(each, { recursive: true })
})

/** Starts Node in the folder. The process ends with the tests of the file at the latest. */
export function spawnNode(args: string[], env: Record<string, string> = {}, cwd = folder) {
  const stdio: StdioOptions = ['ignore', 'pipe', 'pipe', 'ipc']
  const own = { PATH: process.env['PATH'], NO_COLOR: '1', ...env }
  const child = spawn(process.execPath, args, { cwd, env: own, stdio })
  children.add(child)
  return child as ChildProcessByStdio<null, Readable, Readable>
}

/** Where a package is installed here, if it is. */
export function installed(name: string): string | undefined {
  return ['.', DRIVERS].map((lock) => pathOf(`${lock}/node_modules/${name}`)).find(existsSync)
}

/** The hosts, one of which a reader of `docs` has with its adapter, and what every project of Nest has. */
const HOSTS = ['express', 'fastify', 'koa', '@koa/router', '@hapi/hapi', 'hono', '@hono/node-server']
const ADAPTERS = readdirSync(pathOf('node_modules/@service-signature')).map(
  (name) => `@service-signature/${name}`,
)
const NEST = ['@nestjs/common', '@nestjs/core', '@nestjs/platform-express']
const PRESENT: Readonly<Record<string, readonly string[]>> = {
  'packages/cli/SKILL.md': [...ADAPTERS, ...HOSTS],
  'packages/nest/README.md': NEST,
}

/** The packages that a reader of the page has: those that it says to install. */
function packagesOf(page: string): string[] {
  const text = readPage(page)
  const commands = [...text.matchAll(/\bnpm install ([^\n`&#]+)/g)].flatMap(([, names]) =>
    names!.trim().split(' '),
  )
  const sentences = [...text.matchAll(/\bInstall (`[^`]+`(?:(?:, | and )`[^`]+`)*)/g)].flatMap(([, names]) =>
    names!.replaceAll('`', '').split(/, | and /),
  )
  const present = PRESENT[page] ?? (page.startsWith('docs/') ? [...ADAPTERS, ...HOSTS] : [])
  return [...present, ...commands, ...sentences].filter((name) => !name.startsWith('-'))
}

/** Makes a project from a page alone: the packages that it says to install, and the files that it shows. */
export function projectOf(page: string): string {
  const project = join(fromPages, page)
  // Several programs of one page share its project.
  if (existsSync(project)) return project
  mkdirSync(project, { recursive: true })
  writeFileSync(join(project, 'package.json'), '{ "type": "module" }')
  for (const name of new Set(packagesOf(page))) {
    const source = installed(name)
    if (source === undefined) continue
    const link = join(project, 'node_modules', name)
    mkdirSync(dirname(link), { recursive: true })
    symlinkSync(source, link)
  }
  for (const { example, region, code } of PAGES.get(page)!) {
    if (region === undefined) write(join(project, nameOf(example)), code)
  }
  return project
}

/** The name of the file of an example, with the folder if it has several: `quick-start.js`, `reconcile/job.js`. */
const nameOf = (example: string) => example.split('/').slice(1).join('/')

function write(path: string, code: string): string {
  const tsconfigRaw = { compilerOptions: { experimentalDecorators: true } }
  mkdirSync(dirname(path), { recursive: true })
  const isTypeScript = path.endsWith('.ts')
  const target = path.replace(/\.ts$/, '.js')
  writeFileSync(target, isTypeScript ? transformSync(code, { loader: 'ts', tsconfigRaw }).code : code)
  return target
}

/** Copies an example that no page shows into the folder, with the files that it imports. */
function copy(example: string): string {
  const path = join(folder, example.replace(/\.ts$/, '.js'))
  // Several programs import the same file, and one of them may be reading it.
  if (existsSync(path)) return path
  const code = readFileSync(pathOf(`examples/${example}`), 'utf8')
  write(join(folder, example), code)
  for (const [, name] of code.matchAll(/ from '(\.\.?\/.+)\.js'$/gm)) {
    copy(EXAMPLES.find((other) => other.replace(/\.[jt]s$/, '') === join(dirname(example), name!))!)
  }
  return path
}

/** The file of an example, as a reader has it, in the folder in which it runs. */
function fileOf(example: string, page: string | undefined) {
  if (page === undefined) return { file: copy(example), cwd: folder }
  const cwd = projectOf(page)
  return { file: join(cwd, nameOf(example).replace(/\.ts$/, '.js')), cwd }
}

/**
 * Starts an example as a reader of its page would: from what stands in the page alone, and only with the environment variables
 * that it names.
 *
 * @param options `page`: if several show it, default the first; if none does, the file of the example. `preload`: another example,
 * which runs before it
 */
export function start(
  example: string,
  env: Record<string, string> = {},
  {
    page = pagesOf(example)[0],
    preload,
  }: { readonly page?: string | undefined; readonly preload?: string } = {},
) {
  const { file, cwd } = fileOf(example, page)
  const named = Object.entries(env).filter(([name]) => page === undefined || names(page, name))
  const options = preload === undefined ? [] : ['--import', fileOf(preload, pagesOf(preload)[0]).file]
  const child = spawnNode(
    [...options, pathOf('examples/test/run.js'), file],
    { PORT: '0', WEBHOOK_SECRET: SECRET, ...Object.fromEntries(named) },
    cwd,
  )
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
      while (!pattern.test(printed) && child.exitCode === null && child.signalCode === null) {
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

/** One delivery of each shape of event: both events of a payment, and one that names no account. */
export function valid(secret: string, id: string, account = transactionEvent().account.id): Delivery[] {
  const events = [
    transactionEvent({ intent: { id }, account: { id: account } }),
    intentEvent({ data: { intent_id: id, intent: { id, account } } }),
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
