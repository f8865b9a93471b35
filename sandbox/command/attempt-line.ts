import { recognize } from '@service-signature/core'
import {
  causeSentences,
  parsedJson,
  printable,
  type AttemptReport,
  type Cause,
} from '@service-signature/deliveries'
import { isRefusal } from '@service-signature/deliveries/node'
import type { AttemptFinding } from '@service-signature/sandbox'
import { inLines, paint, type Io } from '@service-signature/terminal'

/** What is printed of one attempt. */
export interface PrintedAttempt
  extends
    Pick<AttemptReport, 'at' | 'type' | 'body' | 'delivery' | 'faults' | 'durationMs'>,
    Pick<AttemptFinding, 'verdict' | 'verdictText'> {
  readonly answer: { readonly status: number } | null
  /** Whether it is a copy that the sandbox sent to find a cause. */
  readonly isCheck?: boolean
  /** Why the endpoint did not do what it must, as the sandbox has found out. */
  readonly cause: Pick<Cause, 'title' | 'detail' | 'said' | 'fix' | 'command'> | null
}

/** Further lines start below the status. */
const INDENT = ' '.repeat(9)

/** Prints attempts one after the other. */
export class AttemptLines {
  readonly #page: string
  readonly #io: Io
  /** The cause that was printed last, until the endpoint does what it must. */
  #last: string | undefined
  /** What the last copy showed. */
  #lastCheck: string | undefined

  constructor(page: string, io: Io) {
    this.#page = page
    this.#io = io
  }

  /**
   * `12:00:01 204  12 ms intent.processed dlv_...`, and what became of a delivery that was broken on purpose, or why an event is not
   * recognized. Below it the cause, and where it is on the page; after a retry with the same cause, only its title.
   */
  of(attempt: PrintedAttempt): string {
    const { at, type, body, delivery, faults, answer, durationMs } = attempt
    const { isCheck = false, cause, verdict, verdictText } = attempt
    const isForged = faults.length > 0
    // An error, or a path that is not there, refuses no signature.
    const isRefused = verdict === 'refused-forgery' && isRefusal(answer!.status)
    const color = verdict === 'accepted' || isRefused ? 'green' : 'red'
    const status = paint(this.#io, color, answer === null ? '---' : String(answer.status))
    const time = new Date(at).toTimeString().slice(0, 8)
    const problem = isForged ? undefined : problemOf(body)
    const isRepeated = isCheck && verdictText === this.#lastCheck
    if (isCheck) this.#lastCheck = verdictText
    const outcome = isRepeated ? 'the same as above' : printable(verdictText, Infinity)
    return [
      `${time} ${status} ${spanOf(durationMs).padStart(6)} ${printable(type)} ${printable(delivery)}`,
      ...(isForged ? [this.#below((isCheck ? 'Check: ' : '') + outcome, color)] : []),
      ...(problem === undefined ? [] : [this.#below(`Not recognized: ${printable(problem)}.`, 'red')]),
      ...(isCheck ? [] : this.#causeLines(cause, delivery, isForged)),
    ].join('\n')
  }

  #causeLines(cause: PrintedAttempt['cause'], delivery: string, isForged: boolean): readonly string[] {
    if (cause === null) {
      if (!isForged) this.#last = undefined
      return []
    }
    const { title, command } = cause
    const address = new URL(`/deliveries/${delivery}/`, this.#page).href
    // The sandbox writes its own address, which may be another from this machine.
    const copied = (command: string) => printable(command.replace(/http\S+$/, address), Infinity)
    if (this.#last === title) return [this.#below(`Same cause as above: ${printable(title)}`)]
    this.#last = title
    return [
      ...causeSentences(cause).map((text) => this.#below(printable(text, Infinity))),
      // Commands and addresses are not broken, so that they can be copied.
      ...(command ? [this.#below('With the WEBHOOK_SECRET of your endpoint, run:'), copied(command)] : []),
      paint(this.#io, 'dim', address),
    ]
  }

  #below(text: string, color?: 'red' | 'green'): string {
    const lines = inLines(this.#io, text, INDENT)
    return color === undefined ? lines : paint(this.#io, color, lines)
  }
}

function spanOf(milliseconds: number): string {
  return milliseconds < 999.5 ? `${Math.round(milliseconds)} ms` : `${(milliseconds / 1000).toFixed(1)} s`
}

/** Why an event is not recognized, if it is of a known family: a handler for its type does not get it. */
function problemOf(body: string): string | undefined {
  const payload = parsedJson(body)
  const event = payload === undefined ? undefined : recognize(payload)
  if (event?.shape !== 'unrecognized' || event.reason !== 'invalid-payload') return undefined
  const [first] = event.issues
  return `${first!.path} ${first!.reason}`
}
