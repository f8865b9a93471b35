import { isAcknowledgement, isConflict, isRefusal, type Answer, type Answered } from './answer.js'
import type { Delivery } from './delivery.js'

/** A delivery, and what came of it. */
export interface Exchange {
  readonly delivery: Delivery
  readonly answer: Answer
}

/**
 * What is wrong with an endpoint, the worst first:
 * - `accepts`: it acknowledges what it must refuse
 * - `loses`: it does not acknowledge what is genuine
 * - `tells`: its answers help a forger
 * - `breaks`: it answers with an error of its own, or not at all
 */
export const WEAKNESSES = ['accepts', 'loses', 'tells', 'breaks'] as const
export type Weakness = (typeof WEAKNESSES)[number]

/** What a sound endpoint answers. */
export interface Expectation {
  /** In the words of the report. */
  readonly text: string
  /** Nothing where the endpoint is sound. */
  readonly weaknessIn: (exchanges: readonly Exchange[]) => Weakness | undefined
  /** What no status shows, where it is not met. */
  readonly unmet?: string
  /** What it costs if the endpoint breaks, where that is not what the case is about. */
  readonly riskOfBreaking?: string
}

const BREAKING = 'It is not accepted; but anybody can make the endpoint fail, or keep it busy.'

/** The delivery is genuine. No status is named for that (S6.1), so each 2xx will do. */
export const ACKNOWLEDGED = expectEach('2xx', isAcknowledgement, 'loses')

/** The same twice. A sender who comes again while the endpoint is at work may be told so, and comes back. */
export const ACKNOWLEDGED_TWICE: Expectation = {
  text: '2xx twice',
  weaknessIn([first, ...again]) {
    const isSound = (answer: Answer) => isAcknowledgement(answer) || isConflict(answer)
    return again.every(({ answer }) => isSound(answer)) ? ACKNOWLEDGED.weaknessIn([first!]) : 'loses'
  },
}

/** It must not reach the handler, and is the sender's fault, not the endpoint's. */
export const REFUSED: Expectation = { ...expectNone('4xx', isRefusal), riskOfBreaking: BREAKING }

/** The same, where an endpoint may also hang up, for the sender sends too much, or hangs up itself. */
export const REFUSED_OR_CLOSED = expectNone(
  '4xx or closed',
  (answer) => isRefusal(answer) || answer.kind === 'closed',
)

/** Whether it is to be taken, nobody says; but the endpoint must bear it. */
export const BORNE = expectEach(
  '2xx or 4xx',
  (answer) => isAcknowledgement(answer) || isRefusal(answer),
  'breaks',
)

/** All refusals are one answer, but for what differs from request to request anyway. */
export const ALIKE: Expectation = {
  text: 'all alike',
  unmet: 'not alike',
  weaknessIn(exchanges) {
    const refusals = exchanges.flatMap(({ answer }) =>
      answer.kind === 'answered' && isRefusal(answer) ? [withoutIds(answer)] : [],
    )
    return new Set(refusals).size > 1 ? 'tells' : undefined
  },
}

/** No answer holds a key, or the digest that would have been right. */
export const DISCREET: Expectation = {
  text: 'tells none',
  unmet: 'tells one',
  weaknessIn: (exchanges) =>
    exchanges.some(({ delivery, answer }) =>
      delivery.untold().some((secret) => textOf(answer).includes(secret)),
    )
      ? 'tells'
      : undefined,
}

/** No answer shows the inside of the program. */
export const WITHOUT_STACK: Expectation = {
  text: 'no stack trace',
  unmet: 'a stack trace',
  weaknessIn: (exchanges) =>
    exchanges.some(({ answer }) => STACK.test(textOf(answer))) ? 'tells' : undefined,
}

function expectEach(text: string, isSound: (answer: Answer) => boolean, otherwise: Weakness): Expectation {
  return {
    text,
    weaknessIn: (exchanges) => (exchanges.every(({ answer }) => isSound(answer)) ? undefined : otherwise),
  }
}

function expectNone(text: string, isSound: (answer: Answer) => boolean): Expectation {
  const sound = expectEach(text, isSound, 'breaks')
  return {
    text,
    weaknessIn: (exchanges) =>
      exchanges.some(({ answer }) => isAcknowledgement(answer)) ? 'accepts' : sound.weaknessIn(exchanges),
  }
}

// What a request id or a clock puts into an answer: a UUID, a time, another long row of digits.
const IDS = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|\d{4}-\d\d-\d\dT[\d:.]+|[0-9a-f]{16,}|\d{9,}/gi

function withoutIds({ status, body }: Answered): string {
  return `${status} ${body.replace(IDS, '#')}`
}

// The place of an error, as JavaScript, Java, Python, PHP and their like print it.
const STACK =
  /\.[cm]?[jt]sx?:\d+:\d+|node:internal\/|\.(?:java|kt|cs|rb|go|py|php):(?:line )?\d+|\.php\(\d+\)|Traceback \(most recent/

function textOf(answer: Answer): string {
  return answer.kind === 'answered' ? answer.text : ''
}
