import { parsedJson, printable } from '@service-signature/deliveries'
import { printedWith, settingsFor, withSettings, type Setting } from '@service-signature/deliveries/node'
import {
  asUsage,
  count,
  EXIT,
  milliseconds,
  print,
  readInput,
  UsageError,
  type Io,
} from '@service-signature/terminal'
import { AttemptLines, type PrintedAttempt } from './attempt-line.js'
import { SandboxClient } from './sandbox-client.js'

export interface TriggerOptions {
  readonly sandbox: string
  readonly url?: string
  readonly set?: readonly string[]
  readonly sequence?: string
  readonly count?: string
  readonly delay?: string
  readonly list?: true
}

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
  readonly type: string
  readonly status: string
  readonly is_checking: boolean
  readonly attempts: readonly SentAttempt[]
}

interface SentAttempt extends Pick<PrintedAttempt, 'body' | 'faults' | 'answer' | 'verdict' | 'cause'> {
  readonly at: string
  readonly duration_ms: number
  readonly verdict_text: string
  readonly is_check: boolean
}

/** Sends an event from a running sandbox, and prints the first answer to each delivery. */
export async function trigger(event: string | undefined, options: TriggerOptions, io: Io): Promise<number> {
  const { list, set = [] } = options
  const sandbox = new SandboxClient(options.sandbox, io)
  if (event === undefined && !list)
    throw new UsageError('Name one event, such as intent.processed. --list prints what there is.')
  const { url, count: number, delay, sequence = number && 'burst' } = options
  const order = {
    url,
    sequence,
    count: number === undefined ? undefined : count('--count', number),
    delay_ms: delay === undefined ? undefined : milliseconds('--delay', delay),
  }
  const templates = (await sandbox.request('templates/')) as readonly Template[]
  if (event !== undefined && !list)
    return send({ ...(await contentOf(event, set, templates, io)), ...order }, sandbox, io)
  io.stdout.write(listOf(templates))
  return EXIT.good
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
async function contentOf(
  event: string,
  settings: readonly string[],
  templates: readonly Template[],
  io: Io,
): Promise<object> {
  const template =
    templates.find(({ name, type }) => name === event || type === event) ??
    templates.find(({ type }) => type?.startsWith(`${event}.`))
  if (template !== undefined)
    return settings.length === 0 ? { template: template.name } : changed(template.payload, settings)
  if (!/\.json$|[/\\]/i.test(event)) {
    throw new UsageError(
      `There is no event "${event}". --list prints what there is; a file needs .json or a folder.`,
    )
  }
  const text = (await readInput(event, io)).toString()
  // Without a change, the file is sent byte for byte.
  if (settings.length === 0) return { text }
  const payload = parsedJson(text)
  if (payload === undefined) throw new UsageError(`${event} is not JSON, so --set cannot change it.`)
  return changed(payload, settings)
}

/**
 * The event with changes: as JSON, which the sandbox prints in its own style, or as text if a value would be printed in another
 * way than it was written.
 */
function changed(event: unknown, texts: readonly string[]): object {
  return asUsage(() => {
    const settings: Setting[] = []
    for (const text of texts) settings.push(...settingsFor(withSettings(event, settings), text))
    const isExact = settings.every(({ value, json }) => json === undefined || json === JSON.stringify(value))
    if (isExact) return { payload: withSettings(event, settings) }
    return { text: printedWith(event, settings, 'python') }
  })
}

/** Sends it, and prints the first answers, and those to copies, in the order in which the deliveries were sent. */
async function send(request: object, sandbox: SandboxClient, io: Io): Promise<number> {
  const end = new AbortController()
  // Before it is sent, so that no answer is missed.
  const changes = await sandbox.deliveryChanges(end.signal)
  try {
    const { deliveries } = (await sandbox.request('compose/', request)) as { deliveries: { id: string }[] }
    let accepted = 0
    const lines = new AttemptLines(sandbox.origin, io)
    for (const { id } of deliveries) {
      const { type, status, attempts } = await answered(id, sandbox, changes)
      if (status === 'lost') {
        print(io, printable(`${type} ${id} was never sent, because the fault "Lost" is set`))
        continue
      }
      const { verdict } = attempts[0]!
      for (const [index, attempt] of attempts.entries()) {
        // Otherwise the log of an endpoint has a refusal that nothing explains. A cause says it itself.
        const isShown = index === 0 || (attempt.is_check && verdict === 'accepted')
        if (isShown) print(io, lines.of({ ...printedOf(attempt), delivery: id, type }))
      }
      if (verdict.startsWith('accept')) accepted++
    }
    const { length } = deliveries
    if (length > 1) print(io, `${length} deliveries: ${accepted} accepted, ${length - accepted} not`)
    return accepted === length ? EXIT.good : EXIT.refused
  } finally {
    end.abort()
  }
}

function printedOf({ at, duration_ms, verdict_text, is_check, ...others }: SentAttempt) {
  return {
    ...others,
    at: Date.parse(at),
    durationMs: duration_ms,
    verdictText: verdict_text,
    isCheck: is_check,
  }
}

/**
 * The delivery, once its first attempt was answered, or has failed, or if a fault never sends it.
 *
 * @throws {UnreachableError} if the sandbox ends before
 */
async function answered(id: string, sandbox: SandboxClient, changes: AsyncGenerator): Promise<SentDelivery> {
  for (;;) {
    const sent = (await sandbox.request(`deliveries/${id}/`)) as SentDelivery
    if (sent.status === 'lost' || (sent.attempts.length > 0 && !sent.is_checking)) return sent
    await changes.next()
  }
}
