import type { CaseResult } from '@service-signature/audit'
import { isAccepted } from '../deliveries/attempt.js'
import { sendAll, type JudgedAttempt } from '../deliveries/deliveries.js'
import type { Cause } from '../deliveries/cause.js'
import { RETRY_DELAYS_MS, type Attempt } from '../deliveries/delivery.js'
import { SLOW_PROVIDER_MS } from '../model/providers.js'
import type { SurvivalTestName, SurvivalVerdict } from '../store/records.js'
import type { Sent, TestRun } from './test-run.js'

export interface SurvivalTest {
  readonly title: string
  /** What is sent, and what a correct endpoint does. */
  readonly sends: string
  /** How many deliveries have an answer at its end, if it reaches that. */
  readonly total: number
  /** `opening`: a valid delivery that the endpoint has accepted. */
  readonly run: (run: TestRun, opening: Sent) => Promise<SurvivalVerdict>
}

const COPIES = 10
const BURST = 1000
const BURST_AT_A_TIME = 50
const BURST_MS = 60_000
const DAY_MS = 86_400_000

/** What an endpoint must survive. */
export const SURVIVAL_TESTS: Readonly<Record<SurvivalTestName, SurvivalTest>> = {
  'other-account': {
    title: 'Another account',
    sends: 'Valid events of another account, which has the same secret: it must refuse them.',
    total: 1,
    run: (run) => refusing(run, 'other account'),
  },
  'other-mode': {
    title: 'The other mode',
    sends: 'A valid event of the other mode, live or test: it must refuse it.',
    total: 1,
    run: (run) => refusing(run, 'other mode'),
  },
  lost: {
    title: 'Lost deliveries',
    sends:
      'A delivery whose first answer is lost, so that it is sent again; and a payment of which no event ever comes.',
    total: 2,
    run: losing,
  },
  'out-of-order': {
    title: 'Out of order',
    sends: 'The last event of a payment, and then the first one: it must accept both.',
    total: 3,
    run: reversing,
  },
  copies: {
    title: 'Ten copies at once',
    sends: 'One delivery ten times in parallel: it must handle one, and answer 2xx or 409 to each.',
    total: 1 + COPIES,
    run: copying,
  },
  burst: {
    title: 'A burst of 1,000',
    sends: `The events of 1,000 payments, ${BURST_AT_A_TIME} at a time: it must accept all within ${BURST_MS / 1000} s.`,
    total: 1 + BURST,
    run: bursting,
  },
  'slow-provider': {
    title: 'A slow provider',
    sends:
      'The events of a payment that took a day, the last one 5 s after the first one: it must accept both.',
    total: 3,
    run: slowing,
  },
}

/** Makes a test. It begins with a valid delivery: where that is refused, other answers show nothing. */
export async function makeTest(test: SurvivalTestName, run: TestRun): Promise<SurvivalVerdict> {
  const opening = await run.open()
  const refusal = wrongOf(opening)
  return refusal === undefined ? SURVIVAL_TESTS[test].run(run, opening) : failedAt(opening, refusal)
}

const VERBS: Readonly<Record<NonNullable<CaseResult['weakness']>, string>> = {
  accepts: 'accepts',
  loses: 'refuses',
  leaks: 'says too much of',
  fails: 'fails at',
}

/** Sends the cases of the audit whose names have this text. */
async function refusing(run: TestRun, only: string): Promise<SurvivalVerdict> {
  const { id: audit, state, problem, cases } = await run.audit(only)
  if (state !== 'done') {
    const detail = problem ?? 'The audit was cancelled.'
    return {
      ...failed(
        'It did not take the valid deliveries of the audit',
        detail,
        'Audit the endpoint, which shows more.',
      ),
      audit,
    }
  }
  for (const { weakness, title, got, expected, cost, fix } of cases) {
    if (weakness === null) continue
    const detail = `Expected ${expected}, got ${got}. ${cost}`
    return { ...failed(`It ${VERBS[weakness]} ${title}`, detail, fix), audit }
  }
  return { ...passed('It refuses them', `It answered ${cases[0]!.got}.`), audit }
}

async function losing(run: TestRun, first: Sent): Promise<SurvivalVerdict> {
  await run.wait(RETRY_DELAYS_MS[0])
  const retry = await run.sendAgain(first.delivery)
  const wrong = wrongOf(retry)
  if (wrong !== undefined) {
    return failedAt(retry, wrong, {
      title: 'It refuses the retry of a delivery that it has accepted',
      detail: `It answered ${wrong.status!}. If its first answer is lost on the way, every retry is in vain.`,
      fix: 'Answer 2xx to a delivery that was handled already, and do nothing else.',
    })
  }
  const { id, status } = run.payInSilence()
  const verdict = passed('It accepts the retry', 'It answered 2xx twice.', first)
  return status === 'PROCESSED'
    ? {
        ...verdict,
        unseen: `Does your reconciliation find ${id}, which is paid, and of which no event ever comes? There must be one booking after its next run.`,
        command: searchFor(id),
      }
    : {
        ...verdict,
        unseen: 'What your reconciliation finds: a fault of the providers keeps all from paying.',
      }
}

async function reversing(run: TestRun): Promise<SurvivalVerdict> {
  const { id, first, last } = run.newPayment()
  const early = await run.send(last)
  const late = await run.send(first)
  const words = {
    title: 'It refuses an event because of the order',
    detail: `of a payment whose ${last.type} came before ${first.type}`,
    fix: 'Take each event by itself: add what is missing, and never set a later state back.',
  }
  return acceptedBoth(early, late, words, {
    unseen: `Is ${id} paid now? The event that came last is the older one, and must change nothing.`,
    command: searchFor(id),
  })
}

async function slowing(run: TestRun): Promise<SurvivalVerdict> {
  const { first, last } = run.newPayment(DAY_MS)
  const begun = await run.send(first)
  await run.wait(SLOW_PROVIDER_MS)
  const ended = await run.send(last)
  const words = {
    title: 'It refuses an event of a slow payment',
    detail: `of a payment that was created a day ago, and whose last event came ${SLOW_PROVIDER_MS / 1000} s after the first one`,
    fix: 'Take events of payments of any age: how old a delivery is, its signature says, and not "created" or the event before.',
  }
  return acceptedBoth(begun, ended, words, {
    unseen:
      'Does your shop cope with an event that comes before the answer of its own call? Make a provider slow, and pay in your shop.',
    command: `curl -X PUT ${run.origin}/_sandbox/faults/ -H 'Content-Type: application/json' -d '{"providers":{"north":"slow"}}'`,
  })
}

async function copying(run: TestRun, opening: Sent): Promise<SurvivalVerdict> {
  const { id, first } = run.newPayment()
  const copies = await run.send(first, COPIES)
  const { attempts } = copies
  const accepted = attempts.filter(isAccepted)
  // A copy of a delivery that is being handled may be refused, as long as one is handled.
  const wrong = attempts.find(({ cause, status }) => cause && (status !== 409 || accepted.length === 0))
  const detail = `Its answers: ${countsOf(attempts)}.`
  const fix =
    'Claim each delivery in one step, as a replay store or a unique index does, and answer 2xx or 409 to copies.'
  if (wrong) return failedAt(copies, wrong, { title: 'It fails at copies that arrive at once', detail, fix })
  // The answer to the opening is one to a new delivery, which may be unlike that to a duplicate.
  const handled = accepted.filter((attempt) => isAlike(attempt, opening.attempts[0]!)).length
  if (accepted.length === 1 || handled === 1) return passed('It handles one of them', detail, copies)
  if (handled > 1 && handled < accepted.length) {
    return failed(
      `It handles ${handled} of them`,
      `${detail} So many are that to a new delivery.`,
      fix,
      copies,
    )
  }
  return {
    ...passed('How many did it handle?', `${detail} There must be one booking of ${id}.`, copies),
    outcome: 'ask',
    command: searchFor(id),
  }
}

async function bursting(run: TestRun): Promise<SurvivalVerdict> {
  const end = run.now + BURST_MS
  const sent: Sent[] = []
  const sendOne = async () => {
    if (run.now < end) sent.push(await run.open())
  }
  await sendAll(Array.from({ length: BURST }), sendOne, BURST_AT_A_TIME)
  const slowest = sent.reduce((a, b) => (durationOf(b) > durationOf(a) ? b : a))
  const left = BURST - sent.length
  const detail = [
    `Its answers: ${countsOf(sent.flatMap(({ attempts }) => attempts))}.`,
    `The slowest took ${durationOf(slowest)} ms.`,
    ...(left > 0 ? [`${left} were not sent within ${BURST_MS / 1000} s.`] : []),
  ].join(' ')
  const bad = sent.find((each) => wrongOf(each) !== undefined)
  if (bad !== undefined) {
    const { title, fix } = wrongOf(bad)!.cause!
    return failed(title, detail, fix, bad, slowest)
  }
  return left === 0
    ? passed('It accepts all', detail, slowest)
    : failed(
        'It is too slow for a burst',
        detail,
        'Store the event, answer, and do the work after that.',
        slowest,
      )
}

type Words = Pick<Cause, 'title' | 'detail' | 'fix' | 'command'>

/** Whether two events were accepted. `words.detail` says what is special about them. */
function acceptedBoth(
  a: Sent,
  b: Sent,
  words: Words,
  question: { readonly unseen: string; readonly command: string },
): SurvivalVerdict {
  for (const sent of [a, b]) {
    const wrong = wrongOf(sent)
    if (wrong === undefined) continue
    const detail = `It answered ${wrong.status!} to ${sent.delivery.type} ${words.detail}.`
    return failedAt(sent, wrong, { ...words, detail })
  }
  return { ...passed('It accepts both', 'It answered 2xx twice.', a, b), ...question }
}

/** The first attempt that was not answered as it must be. */
function wrongOf({ attempts }: Sent): JudgedAttempt | undefined {
  return attempts.find(({ cause }) => cause !== undefined)
}

/** Failed at one attempt. If that was refused, the words of the test say more than its cause. */
function failedAt(sent: Sent, { status, cause }: JudgedAttempt, ofRefusal?: Words): SurvivalVerdict {
  const isRefused = status !== undefined && !isAccepted({ status })
  const { title, detail, fix, command }: Words = (isRefused ? ofRefusal : undefined) ?? cause!
  return { ...failed(title, detail, fix, sent), command: command ?? null }
}

function failed(title: string, detail: string, fix: string, ...sent: readonly Sent[]): SurvivalVerdict {
  return { ...passed(title, detail, ...sent), outcome: 'failed', fix }
}

export function stopped(detail: string): SurvivalVerdict {
  return { ...passed('The test could not be made', detail), outcome: 'stopped' }
}

function passed(title: string, detail: string, ...sent: readonly Sent[]): SurvivalVerdict {
  const deliveries = sent.map(({ delivery }) => delivery.id)
  return { outcome: 'passed', title, detail, fix: null, unseen: null, command: null, deliveries, audit: null }
}

function isAlike({ answer: a }: Attempt, { answer: b }: Attempt): boolean {
  return a!.status === b!.status && a!.body === b!.body
}

function durationOf({ attempts }: Sent): number {
  return attempts[0]!.durationMs
}

/** Such as "1 x 204, 9 x 409". */
function countsOf(attempts: readonly Attempt[]): string {
  const counts = new Map<string, number>()
  for (const { status } of attempts) {
    const name = status === undefined ? 'no answer' : String(status)
    counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  return [...counts].map(([name, count]) => `${count} x ${name}`).join(', ')
}

/** Prints the lines of a log about a payment. */
function searchFor(intentId: string): string {
  return `grep ${intentId} your.log`
}
