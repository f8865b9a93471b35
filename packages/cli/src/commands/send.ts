import { causeSentences, printable } from '@service-signature/deliveries'
import {
  answerLine,
  answerText,
  causeInAnswer,
  tamper,
  type SignedBody,
} from '@service-signature/deliveries/node'
import {
  EXIT,
  inLines,
  paint,
  print,
  printJson,
  UnreachableError,
  type Io,
} from '@service-signature/terminal'
import { readPlan, type SendOptions, type SendPlan } from '../send/plan.js'
import { post } from '../send/post.js'
import { signBody, versionsIn } from '../send/signing.js'

/** How many characters of an answer are printed as JSON. */
const SHOWN_LENGTH = 16 * 1024

/** Sends signed deliveries to an endpoint, one after the other, and says what it answered. */
export async function run(url: string, options: SendOptions, io: Io): Promise<number> {
  const plan = await readPlan(url, options, io)
  const target = withoutCredentials(plan.url)
  const say = (text: string) => {
    if (!options.json) print(io, text)
  }
  say(`POST ${target}`)

  const deliveries: Sent[] = []
  let isGood = true
  try {
    for (const { bytes, about } of prepare(plan, io)) {
      say(inLines(io, inWords(about, plan), '  '))
      const start = io.now()
      const sent: Sent = { ...about }
      deliveries.push(sent)
      const { status, statusText, headers, body } = await post(plan.url, bytes, plan.timeoutSeconds)
      const milliseconds = io.now() - start
      sent.answer = { status, milliseconds, body: answerText(headers, body).slice(0, SHOWN_LENGTH) }
      isGood &&= isAccepted(sent.answer)
      say(answerInWords(sent.answer, statusText, plan, io))
      if (isAccepted(sent.answer) || plan.tampering !== undefined) continue
      const seen = {
        status,
        headers,
        body: sent.answer.body,
        url: plan.url.href,
        sentBytes: about.bytes,
        at: io.now(),
      }
      // The line of the answer is printed already.
      const cause = causeInAnswer(seen)
      if (cause !== undefined)
        say(inLines(io, causeSentences({ ...cause, said: undefined }).join('\n'), '  '))
    }
  } catch (error) {
    if (!options.json || !(error instanceof UnreachableError)) throw error
    const { code, message, exitCode } = error
    printJson(io, { url: target, deliveries, error: { code, message } })
    return exitCode
  }
  if (options.json) printJson(io, { url: target, deliveries })
  return isGood ? EXIT.good : EXIT.refused
}

/** What is said of a delivery that is sent. */
interface About {
  readonly event: string
  readonly bytes: number
  readonly timestamp: number
  readonly versions: readonly string[]
  readonly header: string
  readonly tampered?: string
  /** The same bytes were sent before. */
  readonly duplicate?: true
}

interface Sent extends About {
  answer?: Answer
}

interface Answer {
  readonly status: number
  readonly milliseconds: number
  /** The beginning of it. */
  readonly body: string
}

/** The deliveries, each made when its turn comes, so that its time is the one at which it is sent. */
function* prepare(plan: SendPlan, io: Io): Iterable<{ bytes: SignedBody; about: About }> {
  for (let i = 0; i < plan.deliveries; i++) {
    const { body, name } = plan.nextBody()
    const timestamp = Math.floor(io.now() / 1000) + plan.skewSeconds
    const signed = { body, header: signBody(body, plan.signing, String(timestamp)) }
    const bytes = plan.tampering === undefined ? signed : tamper(plan.tampering, signed)
    const about = {
      event: name,
      bytes: bytes.body.length,
      timestamp: Number(/\d+/.exec(bytes.header)![0]),
      versions: versionsIn(bytes.header),
      header: bytes.header,
      ...(plan.tampering && { tampered: plan.tampering }),
    }
    yield { bytes, about }
    for (let copy = 1; copy < plan.copies; copy++) yield { bytes, about: { ...about, duplicate: true } }
  }
}

function inWords({ event, bytes, timestamp, versions, duplicate }: About, plan: SendPlan): string {
  const skew = plan.skewSeconds === 0 ? '' : ` (${plan.skewSeconds} s from now)`
  const change = plan.tampering === undefined ? '' : `, ${plan.tampering} changed after signing`
  const again = duplicate ? ', the same bytes again' : ''
  return `${printable(event, 80)}, ${bytes} bytes, t=${timestamp}${skew}, ${versions.join(' ')}${change}${again}`
}

function answerInWords(answer: Answer, statusText: string, plan: SendPlan, io: Io): string {
  const { status, milliseconds, body } = answer
  const accepted = isAccepted(answer)
  const line = `${status} ${printable(statusText, 80)}`.trim()
  const lines = [`  ${paint(io, accepted ? 'green' : 'red', line)} (${milliseconds} ms)`]
  const said = answerLine(body)
  if (said !== undefined) lines.push(inLines(io, said, '    '))
  if (accepted && plan.tampering !== undefined) {
    lines.push(
      `  ${paint(io, 'yellow', 'Accepted, although it was changed after signing: nothing verifies it.')}`,
    )
  }
  return lines.join('\n')
}

function isAccepted({ status }: Pick<Answer, 'status'>): boolean {
  return status >= 200 && status < 300
}

/** A user name and a password in the address are for the endpoint alone. */
function withoutCredentials(url: URL): string {
  return Object.assign(new URL(url), { username: '', password: '' }).href
}
