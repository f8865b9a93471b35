import { printable } from '@service-signature/deliveries'
import { printedWith, settingsFor, withSettings, type Setting } from '@service-signature/deliveries/node'
import { asUsage, count, EXIT, milliseconds, print, UsageError, type Io } from '@service-signature/terminal'
import { readFile } from 'node:fs/promises'
import { attemptLine, causeLines, isAccepted, type PrintedCause } from '../sandbox/attempt-line.js'
import { SandboxClient, type AnnouncedChange } from '../sandbox/sandbox-client.js'

export interface TriggerOptions {
  readonly sandbox: string
  readonly url?: string
  readonly set?: readonly string[]
  readonly sequence?: string
  readonly count?: string
  readonly delay?: string
  readonly list?: true
}

/** The names that the command send knows, too. */
const SHORT_NAMES: ReadonlyMap<string, string> = new Map([
  ['transaction', 'transaction.purchase.successful'],
  ['intent', 'intent.processed'],
])

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
  readonly status: string
  readonly next_attempt_at: string | null
  readonly attempts: readonly {
    readonly at: string
    readonly body: string
    readonly faults: readonly string[]
    readonly answer: { readonly status: number } | null
    readonly error: string | null
    readonly duration_ms: number
    readonly cause: PrintedCause | null
  }[]
}

/** Sends an event from a running sandbox, and prints the first answer to each delivery. */
export async function run(event: string | undefined, options: TriggerOptions, io: Io): Promise<number> {
  const { sandbox: address, list, set = [] } = options
  if (!URL.canParse(address)) {
    // The rest may be its token.
    const [shown] = address.split('?') as [string]
    throw new UsageError(`--sandbox must be an address such as http://127.0.0.1:4000, got ${shown}`)
  }
  if (event === undefined && !list) {
    throw new UsageError(
      'Name one event, such as transaction.purchase.successful. --list prints what there is.',
    )
  }
  const order = orderOf(options)
  const sandbox = new SandboxClient(address, io)
  const templates = (await sandbox.get('templates/')) as readonly Template[]
  if (event === undefined || list) {
    io.stdout.write(listOf(templates))
    return EXIT.good
  }
  return send({ ...(await contentOf(event, set, templates)), ...order }, address, sandbox, io)
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

/** @throws {UsageError} if there is no such template or file, or a change is wrong */
async function contentOf(event: string, settings: readonly string[], templates: readonly Template[]) {
  const wanted = SHORT_NAMES.get(event) ?? event
  const template =
    templates.find(({ name }) => name === wanted) ?? templates.find(({ type }) => type === wanted)
  if (template !== undefined) {
    if (settings.length === 0) return { template: template.name }
    return asUsage(() => changed(template.payload, settings))
  }
  if (!/\.json$|[/\\]/i.test(event)) {
    throw new UsageError(
      `There is no event "${event}". --list prints what there is; a file needs .json or a folder.`,
    )
  }
  const text = await readText(event)
  // Without a change, the file is sent byte for byte.
  return settings.length === 0 ? { text } : asUsage(() => changed(parsed(text, event), settings))
}

/**
 * The event with changes: as JSON, which the sandbox prints in its own style, or as text if a value would be printed in another
 * way than it was written.
 */
function changed(event: unknown, texts: readonly string[]) {
  let payload = event
  const settings: Setting[] = []
  for (const text of texts) {
    const more = settingsFor(payload, text)
    payload = withSettings(payload, more)
    settings.push(...more)
  }
  const isAsWritten = settings.every(
    ({ value, json }) => json === undefined || json === JSON.stringify(value),
  )
  return isAsWritten ? { payload } : { text: printedWith(event, settings, 'python') }
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    throw new UsageError(`Cannot read ${file}: ${(error as Error).message}`)
  }
}

function parsed(text: string, file: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new UsageError(`${file} is not JSON, so --set cannot change it.`)
  }
}

/** Where it is sent, how often and in which order. */
function orderOf({ url, count: number, delay, sequence = number && 'burst' }: TriggerOptions) {
  return {
    ...(url !== undefined && { url }),
    ...(sequence !== undefined && { sequence }),
    ...(number !== undefined && { count: count('--count', number) }),
    ...(delay !== undefined && { delay_ms: milliseconds('--delay', delay) }),
  }
}

async function send(request: object, address: string, sandbox: SandboxClient, io: Io): Promise<number> {
  const end = new AbortController()
  // Before it is sent, so that no answer is missed.
  const changes = await sandbox.changes(end.signal)
  try {
    const { deliveries } = (await sandbox.post('compose/', request)) as {
      readonly deliveries: readonly { readonly id: string }[]
    }
    const answers = new FirstAnswers(
      deliveries.map(({ id }) => id),
      address,
      sandbox,
      io,
    )
    await answers.wait(changes)
    if (deliveries.length > 1) print(io, answers.summary())
    return answers.accepted === deliveries.length ? EXIT.good : EXIT.refused
  } finally {
    end.abort()
  }
}

/** Waits for the first answer to each of several deliveries, and prints it. */
class FirstAnswers {
  accepted = 0
  readonly #total: number
  readonly #waiting: Set<string>
  /** The titles of the causes that were printed: each is printed once. */
  readonly #causes = new Set<string>()
  readonly #address: string
  readonly #sandbox: SandboxClient
  readonly #io: Io

  constructor(ids: readonly string[], address: string, sandbox: SandboxClient, io: Io) {
    this.#total = ids.length
    this.#waiting = new Set(ids)
    this.#address = address
    this.#sandbox = sandbox
    this.#io = io
  }

  /** @throws {UnreachableError} if the sandbox ends before */
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
      const sent = (await this.#sandbox.get(`deliveries/${id}/`)) as SentDelivery
      const [first] = sent.attempts
      // Until it has an outcome, a copy may be under way that shows the cause.
      if (first === undefined || (sent.status === 'pending' && sent.next_attempt_at === null)) return
      this.#waiting.delete(id)
      const { at, body, faults, answer, error, duration_ms: durationMs, cause } = first
      const status = answer?.status ?? null
      if (isAccepted({ status })) this.accepted++
      const printed = {
        at: Date.parse(at),
        type: sent.type,
        body,
        delivery: id,
        faults,
        status,
        error,
        durationMs,
      }
      print(this.#io, attemptLine(printed, this.#io) + this.#causeOf(id, cause))
    }
  }

  #causeOf(id: string, cause: PrintedCause | null): string {
    if (cause === null || this.#causes.has(cause.title)) return ''
    this.#causes.add(cause.title)
    return causeLines(cause, new URL(`/deliveries/${id}/`, this.#address).href, this.#io)
  }

  summary(): string {
    return `${this.#total} deliveries: ${this.accepted} accepted, ${this.#total - this.accepted} not`
  }
}
