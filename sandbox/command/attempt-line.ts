import { recognize } from '@service-signature/core'
import { parsedJson, printable, type AttemptReport } from '@service-signature/deliveries'
import type { Cause } from '@service-signature/sandbox'
import { paint, type Io } from '@service-signature/terminal'

/** What is printed of one attempt. */
export interface PrintedAttempt extends Pick<
  AttemptReport,
  'at' | 'type' | 'body' | 'delivery' | 'faults' | 'error' | 'durationMs'
> {
  readonly answer: { readonly status: number } | null
  /** Whether it is a copy that the sandbox sent to find a cause. */
  readonly isCheck?: boolean
  /** Why the endpoint did not do what it must, as the sandbox has found out. */
  readonly cause: (Pick<Cause, 'title' | 'detail' | 'fix'> & { readonly command?: string | null }) | null
}

/** As long as the longest of the documented types. */
const TYPE_WIDTH = 31
/** Further lines start below the type. */
const INDENT = ' '.repeat(10)

/**
 * `12:00:01  intent.processed  dlv_...  -> 204  12 ms`, and what became of a delivery that was broken on purpose, or why an event
 * is not recognized. Below it the cause, and where it is on the page.
 */
export function attemptLines(attempt: PrintedAttempt, page: string, io: Io): string {
  const { at, type, body, delivery, faults, answer, error, durationMs, isCheck = false, cause } = attempt
  const isForged = faults.length > 0
  const problem = isForged ? undefined : problemOf(body)
  const outcome = isAccepted(attempt) ? 'accepted' : answer === null ? 'not answered' : 'refused'
  const color = isAccepted(attempt) === isForged ? 'red' : 'green'
  const forgery = `${isCheck ? 'check: ' : ''}forgery ${outcome} (${printable(faults.join(', '))})`
  const line = [
    new Date(at).toTimeString().slice(0, 8),
    printable(type).padEnd(TYPE_WIDTH),
    printable(delivery),
    `-> ${paint(io, color, answer === null ? printable(error!) : String(answer.status))}`,
    `${Math.round(durationMs)} ms`,
    ...(isForged ? [paint(io, color, forgery)] : []),
    ...(problem === undefined ? [] : [paint(io, 'red', `not recognized: ${printable(problem)}`)]),
  ].join('  ')
  if (cause === null) return line
  const { title, detail, fix, command } = cause
  const below = [
    `${title}${title.endsWith('?') ? '' : '.'} ${detail}`,
    fix,
    ...(command ? [`With the WEBHOOK_SECRET of your endpoint: ${command}`] : []),
  ].map((text) => printable(text, Infinity))
  const address = paint(io, 'dim', new URL(`/deliveries/${delivery}/`, page).href)
  return [line, ...[...below, address].map((text) => INDENT + text)].join('\n')
}

export function isAccepted({ answer }: Pick<PrintedAttempt, 'answer'>): boolean {
  return answer !== null && answer.status >= 200 && answer.status < 300
}

/** Why an event is not recognized, if it is of a known family: a handler for its type does not get it. */
function problemOf(body: string): string | undefined {
  const payload = parsedJson(body)
  const event = payload === undefined ? undefined : recognize(payload)
  if (event?.shape !== 'unrecognized' || event.reason !== 'invalid-payload') return undefined
  const [first] = event.issues
  return `${first!.path} ${first!.reason}`
}
