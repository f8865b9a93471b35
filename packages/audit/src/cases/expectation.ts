import { isAcknowledgement, isRefusal, type Answer, type Answered, type Exchange } from '../send/exchange.js'

/**
 * The kinds of failure of an endpoint, the worst first:
 * - `accepts`: it acknowledges what it must refuse
 * - `loses`: it does not acknowledge a valid delivery
 * - `leaks`: its answers help a forger
 * - `fails`: it answers with an error of its own, or not at all
 */
export const WEAKNESSES = ['accepts', 'loses', 'leaks', 'fails'] as const
export type Weakness = (typeof WEAKNESSES)[number]

/** The answer of a correct endpoint. */
export interface Expectation {
  /** Describes the answer in a few words. */
  readonly text: string
  /** Undefined if the endpoint is as it should be. */
  readonly weaknessIn: (exchanges: readonly Exchange[]) => Weakness | undefined
  /** Describes answers that are not as expected, if their status does not show it. */
  readonly unmet?: string
  /** The cost and the fix if the endpoint fails, where those of the case are about something else. */
  readonly whenItFails?: { readonly cost: string; readonly fix: string }
}

const WHEN_IT_FAILS = {
  cost: 'The delivery is not accepted, but anyone can make the endpoint fail, or keep it busy.',
  fix: 'Answer 400 or 401 to every delivery that does not verify: catch the errors of parsing and comparing.',
}

/** The delivery is valid. Any 2xx will do. */
export const ACKNOWLEDGED = expectEach('2xx', isAcknowledgement, 'loses')

/** The same delivery twice. A repetition may also get 409 while the first is being handled: the sender can retry. */
export const ACKNOWLEDGED_TWICE: Expectation = {
  text: '2xx twice',
  weaknessIn([first, ...others]) {
    const isRight = others.every(({ answer }) => isAcceptedOrBusy(answer))
    return isRight ? ACKNOWLEDGED.weaknessIn([first!]) : 'loses'
  },
}

/** A delivery, and then copies of another one that arrive together: one is handled, and a sender retries those that get 409. */
export const HANDLED_ONCE: Expectation = {
  text: '2xx or 409, and handled once',
  weaknessIn([other, ...copies]) {
    const accepted = copies.filter(({ answer }) => isAcknowledgement(answer))
    const isLost = accepted.length === 0 || !isAcknowledgement(other!.answer)
    if (isLost || !copies.every(({ answer }) => isAcceptedOrBusy(answer))) return 'loses'
    // An endpoint may answer duplicates as it answers what is new. If it does not, the answers show how many were handled.
    const handled = accepted.filter(({ answer }) => isAlike(answer, other!.answer)).length
    return handled > 1 && handled < accepted.length ? 'accepts' : undefined
  },
}

/** A delivery whose answer is lost, and its retries. The last one must find that the first one was handled, or handle it. */
export const ACKNOWLEDGED_AT_LAST: Expectation = {
  text: '2xx to the last retry',
  weaknessIn([, ...retries]) {
    const isRight =
      retries.every(({ answer }) => isAcceptedOrBusy(answer)) && isAcknowledgement(retries.at(-1)!.answer)
    return isRight ? undefined : 'loses'
  },
}

/** The delivery must not reach the handler, and the fault is the sender's, not the endpoint's. */
export const REFUSED: Expectation = { ...expectNone('4xx', isRefusal), whenItFails: WHEN_IT_FAILS }

/** The same for another method, which many servers answer with 501 themselves. */
export const REFUSED_METHOD: Expectation = {
  ...expectNone('4xx or 501', (answer) => isRefusal(answer) || hasStatus(501, answer)),
  whenItFails: WHEN_IT_FAILS,
}

/** The same where an endpoint may also hang up, because the sender sends too much, or hangs up itself. */
export const REFUSED_OR_CLOSED = expectNone(
  '4xx or closed',
  (answer) => isRefusal(answer) || answer.kind === 'closed',
)

/** The endpoint may accept or refuse the delivery, but must not fail. */
export const ANSWERED = expectEach(
  '2xx or 4xx',
  (answer) => isAcknowledgement(answer) || isRefusal(answer),
  'fails',
)

/** All refusals are one answer, except for what differs from request to request anyway. */
export const ALIKE: Expectation = {
  text: 'all alike',
  unmet: 'not alike',
  weaknessIn(exchanges) {
    const refusals = exchanges.flatMap(({ answer }) =>
      answer.kind === 'answered' && isRefusal(answer) ? [withoutIds(answer)] : [],
    )
    return new Set(refusals).size > 1 ? 'leaks' : undefined
  },
}

/** No answer contains a key, or the digest that would have been right. */
export const WITHOUT_SECRETS: Expectation = {
  text: 'no secret',
  unmet: 'a secret',
  weaknessIn: (exchanges) =>
    exchanges.some(({ delivery, answer }) =>
      delivery.secrets().some((secret) => textOf(answer).includes(secret)),
    )
      ? 'leaks'
      : undefined,
}

/** No answer shows the inside of the program. */
export const WITHOUT_STACK: Expectation = {
  text: 'no stack trace',
  unmet: 'a stack trace',
  weaknessIn: (exchanges) =>
    exchanges.some(({ answer }) => STACK.test(textOf(answer))) ? 'leaks' : undefined,
}

function expectEach(text: string, isRight: (answer: Answer) => boolean, otherwise: Weakness): Expectation {
  return {
    text,
    weaknessIn: (exchanges) => (exchanges.every(({ answer }) => isRight(answer)) ? undefined : otherwise),
  }
}

function expectNone(text: string, isRight: (answer: Answer) => boolean): Expectation {
  const right = expectEach(text, isRight, 'fails')
  return {
    text,
    weaknessIn: (exchanges) =>
      exchanges.some(({ answer }) => isAcknowledgement(answer)) ? 'accepts' : right.weaknessIn(exchanges),
  }
}

/** 409 says that the same delivery is being handled right now, so that the sender retries it. */
function isAcceptedOrBusy(answer: Answer): boolean {
  return isAcknowledgement(answer) || hasStatus(409, answer)
}

function isAlike(a: Answer, b: Answer): boolean {
  return a.kind === 'answered' && b.kind === 'answered' && a.status === b.status && a.body === b.body
}

function hasStatus(status: number, answer: Answer): boolean {
  return answer.kind === 'answered' && answer.status === status
}

// Parts of an answer that come from a request id or a clock: a UUID, a time, another long number.
const IDS = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|\d{4}-\d\d-\d\dT[\d:.]+|[0-9a-f]{16,}|\d{9,}/gi

function withoutIds({ status, body }: Answered): string {
  return `${status} ${body.replace(IDS, '#')}`
}

// The place of an error, as JavaScript, Java, Python, PHP and the like print it.
const STACK =
  /\.[cm]?[jt]sx?:\d+:\d+|node:internal\/|\.(?:java|kt|cs|rb|go|py|php):(?:line )?\d+|\.php\(\d+\)|Traceback \(most recent/

function textOf(answer: Answer): string {
  return answer.kind === 'answered' ? answer.text : ''
}
