import { recognize } from '@service-signature/core'
import { parsedJson, printable } from '@service-signature/deliveries'
import { paint, type Io } from '@service-signature/terminal'

/** What is printed of one attempt. */
export interface PrintedAttempt {
  readonly at: number
  readonly type: string
  readonly body: string
  readonly delivery: string
  readonly faults: readonly string[]
  readonly status: number | null
  readonly error: string | null
  readonly durationMs: number
  /** Whether it is a copy that the sandbox sent to find a cause. */
  readonly isCheck?: boolean
}

/** As long as the longest of the documented types. */
const TYPE_WIDTH = 31

/**
 * `12:00:01  intent.processed  dlv_...  -> 204  12 ms`, and what became of a delivery that was broken on purpose, or why an event
 * is not recognized.
 */
export function attemptLine(attempt: PrintedAttempt, io: Io): string {
  const { at, type, body, delivery, faults, status, error, durationMs, isCheck = false } = attempt
  const problem = faults.length > 0 ? undefined : problemOf(body)
  const time = new Date(at).toTimeString().slice(0, 8)
  const outcome = isAccepted(attempt) ? 'accepted' : status === null ? 'not answered' : 'refused'
  const color = isAsItMustBe(attempt) ? 'green' : 'red'
  return [
    time,
    printable(type).padEnd(TYPE_WIDTH),
    printable(delivery),
    `-> ${paint(io, color, status === null ? printable(error!) : String(status))}`,
    `${Math.round(durationMs)} ms`,
    ...(faults.length > 0
      ? [paint(io, color, `${isCheck ? 'check: ' : ''}forgery ${outcome} (${printable(faults.join(', '))})`)]
      : []),
    ...(problem === undefined ? [] : [paint(io, 'red', `not recognized: ${printable(problem)}`)]),
  ].join('  ')
}

/** Why an endpoint did not do what it must, as the sandbox has found out. */
export interface PrintedCause {
  readonly title: string
  readonly detail: string
  readonly fix: string
  readonly command?: string | null
}

/** Further lines start below the type. */
const INDENT = ' '.repeat(10)

/** What follows the line of an attempt. `address`: that of the delivery on the page. */
export function causeLines({ title, detail, fix, command }: PrintedCause, address: string, io: Io): string {
  const lines = [
    `${title}${title.endsWith('?') ? '' : '.'} ${detail}`,
    fix,
    ...(command ? [`With the WEBHOOK_SECRET of your endpoint: ${command}`] : []),
  ].map((line) => printable(line, Infinity))
  return [...lines, paint(io, 'dim', address)].map((line) => `\n${INDENT}${line}`).join('')
}

/** Why an event is not recognized, if it is of a known family: a handler for its type does not get it. */
function problemOf(body: string): string | undefined {
  const payload = parsedJson(body)
  const event = payload === undefined ? undefined : recognize(payload)
  if (event?.shape !== 'unrecognized' || event.reason !== 'invalid-payload') return undefined
  const [first] = event.issues
  return `${first!.path} ${first!.reason}`
}

export function isAccepted({ status }: Pick<PrintedAttempt, 'status'>): boolean {
  return status !== null && status >= 200 && status < 300
}

/** Whether the endpoint accepted a delivery, or refused a forged one. */
function isAsItMustBe(attempt: Pick<PrintedAttempt, 'status' | 'faults'>): boolean {
  return isAccepted(attempt) === (attempt.faults.length === 0)
}
