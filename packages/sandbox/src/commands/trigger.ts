import { printable } from '@service-signature/saved-deliveries'
import { readFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { WRONG_USE, type MainIo } from '../command.js'
import { attemptLine, isAccepted } from './attempt-line.js'
import {
  RefusedBySandbox,
  SandboxClient,
  UnreachableSandbox,
  type AnnouncedChange,
} from './sandbox-client.js'
import { setFields } from './set-fields.js'

const USAGE = `service-signature-sandbox trigger <event>: sends an event from a running
sandbox, and prints the answer of the endpoint

  <event>                  a type, a template (see --list), or a JSON file
  --sandbox <url>          default: http://127.0.0.1:4000
  --url <endpoint>         default: where the sandbox forwards events to
  --set <path=value>       change a field: amount=20, intent.id=int_1; may be
                           given several times
  --sequence <name>        once (the default), duplicate, out-of-order, delayed
                           or burst
  --count <number>         send a burst of this many
  --delay <milliseconds>   with --sequence delayed
  --list                   print the templates
  --help                   print this

Exit codes: 0 accepted, 1 refused, 2 wrong use, 3 sandbox not reachable
`

/** The names that "service-signature send" knows, too. */
const SHORT_NAMES: ReadonlyMap<string, string> = new Map([
  ['transaction', 'transaction.purchase.successful'],
  ['intent', 'intent.processed'],
])

const REFUSED = 1
const UNREACHABLE = 3

/** A template of the sandbox. */
interface Template {
  readonly name: string
  readonly title: string
  readonly group: string
  readonly type: string | null
  readonly payload: unknown
}

/** The part of a delivery of the control API that is used. */
interface SentDelivery {
  readonly id: string
  readonly type: string
  readonly attempts: readonly {
    readonly at: string
    readonly body: string
    readonly faults: readonly string[]
    readonly answer: { readonly status: number } | null
    readonly error: string | null
    readonly duration_ms: number
  }[]
}

/** The command `trigger`. Resolves to the exit code after the first answer to each delivery. */
export async function trigger(argv: readonly string[], io: MainIo): Promise<number> {
  try {
    const { event, values } = readArguments(argv)
    if (values.help) {
      io.stdout.write(USAGE)
      return 0
    }
    const sandbox = new SandboxClient(values.sandbox)
    const templates = (await sandbox.get('templates/')) as readonly Template[]
    if (event === undefined) {
      io.stdout.write(listOf(templates))
      return 0
    }
    const content = await contentOf(event, values.set, templates)
    return await send({ ...content, ...orderOf(values) }, sandbox, io)
  } catch (error) {
    const isWrongUse = error instanceof TypeError || error instanceof RefusedBySandbox
    if (!isWrongUse && !(error instanceof UnreachableSandbox)) throw error
    io.stderr.write(`${error.message}\n`)
    return isWrongUse ? WRONG_USE : UNREACHABLE
  }
}

/** @throws {TypeError} on wrong use */
function readArguments(argv: readonly string[]) {
  const { values, positionals } = parseArgs({
    args: [...argv],
    allowPositionals: true,
    options: {
      sandbox: { type: 'string', default: 'http://127.0.0.1:4000' },
      url: { type: 'string' },
      set: { type: 'string', multiple: true, default: [] },
      sequence: { type: 'string' },
      count: { type: 'string' },
      delay: { type: 'string' },
      list: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  const [event, ...others] = positionals
  if (!URL.canParse(values.sandbox)) {
    throw new TypeError(`--sandbox must be an address such as http://127.0.0.1:4000, got ${values.sandbox}`)
  }
  if (!values.list && !values.help && (event === undefined || others.length > 0)) {
    throw new TypeError(
      'Name one event, such as transaction.purchase.successful. --list prints what there is.',
    )
  }
  return { event: values.list ? undefined : event, values }
}

function listOf(templates: readonly Template[]): string {
  const width = Math.max(...templates.map(({ name }) => name.length))
  const groups = new Set(templates.map(({ group }) => group))
  const sections = [...groups].map((group) => {
    const lines = templates
      .filter((template) => template.group === group)
      .map(({ name, title }) => `  ${printable(name).padEnd(width)}  ${printable(title)}\n`)
    return `${printable(group)}\n${lines.join('')}`
  })
  return sections.join('\n')
}

/** @throws {TypeError} if there is no such template or file */
async function contentOf(event: string, settings: readonly string[], templates: readonly Template[]) {
  const wanted = SHORT_NAMES.get(event) ?? event
  const template =
    templates.find(({ name }) => name === wanted) ?? templates.find(({ type }) => type === wanted)
  if (template !== undefined) {
    if (settings.length === 0) return { template: template.name }
    return { payload: setFields(template.payload, settings) }
  }
  if (!/\.json$|[/\\]/i.test(event)) {
    throw new TypeError(
      `There is no event "${event}". --list prints what there is; a file needs .json or a folder.`,
    )
  }
  const text = await readText(event)
  // Without a change, the file is sent byte for byte.
  return settings.length === 0 ? { text } : { payload: setFields(parsed(text, event), settings) }
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    throw new TypeError(`Cannot read ${file}: ${(error as Error).message}`, { cause: error })
  }
}

function parsed(text: string, file: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new TypeError(`${file} is not JSON, so --set cannot change it.`)
  }
}

/** Where it is sent, how often and in which order. */
function orderOf(values: ReturnType<typeof readArguments>['values']) {
  const { url, count, delay, sequence = count === undefined ? undefined : 'burst' } = values
  return {
    ...(url !== undefined && { url }),
    ...(sequence !== undefined && { sequence }),
    ...(count !== undefined && { count: wholeNumber('--count', count) }),
    ...(delay !== undefined && { delay_ms: wholeNumber('--delay', delay) }),
  }
}

function wholeNumber(flag: string, text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw new TypeError(`${flag} must be a whole number, got ${JSON.stringify(text)}`)
}

async function send(request: object, sandbox: SandboxClient, io: MainIo): Promise<number> {
  const end = new AbortController()
  // Before it is sent, so that no answer is missed.
  const changes = await sandbox.changes(end.signal)
  try {
    const { deliveries } = (await sandbox.post('compose/', request)) as {
      readonly deliveries: readonly { readonly id: string }[]
    }
    const answers = new FirstAnswers(
      deliveries.map(({ id }) => id),
      sandbox,
      io,
    )
    await answers.wait(changes)
    if (deliveries.length > 1) io.stdout.write(`${answers.summary()}\n`)
    return answers.accepted === deliveries.length ? 0 : REFUSED
  } finally {
    end.abort()
  }
}

/** Waits for the first answer to each of several deliveries, and prints it. */
class FirstAnswers {
  accepted = 0
  readonly #total: number
  readonly #waiting: Set<string>
  readonly #sandbox: SandboxClient
  readonly #io: MainIo

  constructor(ids: readonly string[], sandbox: SandboxClient, io: MainIo) {
    this.#total = ids.length
    this.#waiting = new Set(ids)
    this.#sandbox = sandbox
    this.#io = io
  }

  /** @throws {UnreachableSandbox} if the sandbox ends before */
  async wait(changes: AsyncIterable<AnnouncedChange>): Promise<void> {
    // Some may have been answered before the sandbox said which they are.
    await this.#look()
    if (this.#waiting.size === 0) return
    for await (const { kind } of changes) {
      if (kind !== 'delivery') continue
      await this.#look()
      if (this.#waiting.size === 0) return
    }
  }

  /** Prints the answers in the order in which the deliveries were sent, up to the first one that is missing. */
  async #look(): Promise<void> {
    for (const id of this.#waiting) {
      const { type, attempts } = (await this.#sandbox.get(`deliveries/${id}/`)) as SentDelivery
      const [first] = attempts
      if (first === undefined) return
      this.#waiting.delete(id)
      const { at, body, faults, answer, error, duration_ms: durationMs } = first
      const status = answer?.status ?? null
      if (isAccepted({ status })) this.accepted++
      const printed = { at: Date.parse(at), type, body, delivery: id, faults, status, error, durationMs }
      this.#io.stdout.write(`${attemptLine(printed, this.#io)}\n`)
    }
  }

  summary(): string {
    return `${this.#total} deliveries: ${this.accepted} accepted, ${this.#total - this.accepted} not`
  }
}
