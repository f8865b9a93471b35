import { CAUSES, CERTAINTIES, FORGERIES, type Cause, type Forgery } from '@service-signature/deliveries'
import Type, { type Static } from 'typebox'
import { answer } from '../accounts/answer.js'
import { Causes, saidIn } from './causes.js'
import { RETRY_DELAYS_MS, type Service } from './sending.js'
import { VERDICTS, verdictText } from './verdict.js'
import { isoTimestamp } from '../store/clock.js'
import { exactly, flag, oneOf, optionalFlag, orNull, ref, text, textOrNull, whole } from '../http/schema.js'
import { DELIVERY_STATUSES, sentIn, SOURCES, type AttemptRecord, type Delivery } from './records.js'

/** What makes a request a forgery. */
export const forgeryFields = {
  tamper: optionalFlag('Change the amount after signing'),
  stale: optionalFlag('Sign with a time that is an hour old'),
  wrong_secret: optionalFlag('Sign with another secret and another API key'),
  no_signature: optionalFlag('Leave out Service-Signature'),
}

type ForgeryFields = Readonly<Partial<Record<keyof typeof forgeryFields, boolean>>>

export function forgeriesOf(fields: ForgeryFields): readonly Forgery[] {
  return FORGERIES.filter((name) => fields[name.replace('-', '_') as keyof ForgeryFields] === true)
}

const attemptSummary = exactly({
  number: Type.Integer({ description: 'Counted from 1' }),
  at: text,
  status: orNull(whole, { description: 'That of the answer' }),
  error: orNull(text, { description: 'Why there is no answer' }),
  duration_ms: Type.Number(),
  verdict: oneOf(VERDICTS),
  said: orNull(text, { description: 'A line of the answer' }),
})

const causeSummary = exactly({
  cause: oneOf(CAUSES),
  certainty: oneOf(CERTAINTIES, {
    description: 'known: it is proven. probable: the evidence suggests it. ask: only you can know',
  }),
  title: Type.String({ description: 'It says itself how sure it is' }),
})

const causeSchema = exactly(
  {
    ...causeSummary.properties,
    detail: Type.String({ description: 'The evidence' }),
    said: orNull(text, { description: 'A line of the answer' }),
    fix: text,
    command: orNull(text, { description: 'What answers the question' }),
  },
  { $id: 'Cause' },
)

const summaryFields = {
  id: text,
  type: text,
  intent: orNull(text, { description: 'Null if it was composed without one' }),
  url: text,
  status: oneOf(DELIVERY_STATUSES),
  attempt_count: Type.Integer({ description: 'Without checks' }),
  next_attempt_at: textOrNull,
  account: text,
  is_live: flag,
  source: oneOf(SOURCES),
  amount: orNull(text, { description: 'Such as "1,234.50 EUR"' }),
  created: text,
  last: orNull(attemptSummary, { description: 'The last attempt, without checks' }),
  cause: orNull(causeSummary, {
    description: 'Why the endpoint did not do what it must; null if it did',
  }),
}

export const deliverySummarySchema = exactly(summaryFields, { $id: 'DeliverySummary' })

export type DeliverySummary = Static<typeof deliverySummarySchema>

const answered = exactly({
  status: whole,
  headers: Type.Object({}),
  body: Type.String({ description: 'The first 4096 bytes' }),
})

export const attemptSchema = exactly(
  {
    ...attemptSummary.properties,
    headers: Type.Record(Type.String(), Type.String()),
    body: Type.String({ description: 'As it was sent' }),
    faults: Type.Array(oneOf(FORGERIES)),
    is_check: Type.Boolean({ description: 'Whether it is a copy that was sent to find a cause' }),
    answer: orNull(answered),
    verdict_text: text,
    cause: Type.Union([ref(causeSchema), Type.Null()]),
  },
  { $id: 'Attempt' },
)

const planned = exactly({
  number: whole,
  at: Type.String({ description: 'Of those planned after the next one: the earliest' }),
  state: oneOf(['made', 'planned']),
})

export const deliverySchema = exactly(
  {
    ...summaryFields,
    cause: Type.Union([ref(causeSchema), Type.Null()], {
      description: 'That of the newest attempt, without refused forgeries',
    }),
    body: Type.String({ description: 'The text whose UTF-8 bytes were signed' }),
    schedule: Type.Array(planned, {
      description: 'The attempts that were made, and those that follow if no attempt is accepted',
    }),
    is_checking: Type.Boolean({ description: 'Whether a copy is under way that may show another cause' }),
    attempts: Type.Array(ref(attemptSchema)),
  },
  { $id: 'Delivery' },
)

/** Views of the list. The causes are looked for once for all of them. */
export function deliverySummaries(service: Service): (delivery: Delivery) => DeliverySummary {
  const causes = new Causes(service)
  return (delivery) => viewSummary(delivery, causes)
}

function viewSummary(delivery: Delivery, causes: Causes): DeliverySummary {
  const { attempts } = delivery
  const cause = causes.ofDelivery(delivery)
  const last = [...attempts].reverse().find(({ isCheck }) => !isCheck)
  return answer(deliverySummarySchema, delivery, {
    intent: delivery.intentId ?? null,
    attempt_count: attempts.filter(({ isCheck }) => !isCheck).length,
    next_attempt_at: delivery.nextAttemptAt === undefined ? null : isoTimestamp(delivery.nextAttemptAt),
    last: last === undefined ? null : viewAttempt(delivery, last, causes),
    cause: cause === undefined ? null : answer(causeSummary, cause),
  })
}

function viewAttempt(
  delivery: Delivery,
  attempt: AttemptRecord,
  causes: Causes,
): Static<typeof attemptSummary> {
  return answer(attemptSummary, attempt, {
    number: delivery.attempts.indexOf(attempt) + 1,
    verdict: causes.verdict(delivery, attempt),
    said: saidIn(attempt) ?? null,
  })
}

export function viewDelivery(service: Service, delivery: Delivery): Static<typeof deliverySchema> {
  const { body, attempts } = delivery
  const causes = new Causes(service)
  return {
    ...viewSummary(delivery, causes),
    cause: viewCause(causes.ofDelivery(delivery)),
    body,
    schedule: scheduleOf(delivery, service.settings.timeScale),
    is_checking: service.deliveries.isChecking(delivery),
    attempts: attempts.map((attempt) => ({
      ...viewAttempt(delivery, attempt, causes),
      ...sentIn(delivery, attempt),
      faults: [...attempt.faults],
      is_check: attempt.isCheck,
      answer: attempt.answer ?? null,
      verdict_text: verdictText(attempt, body, causes.verdict(delivery, attempt)),
      cause: viewCause(causes.of(delivery, attempt)),
    })),
  }
}

function viewCause(cause: Cause | undefined): Static<typeof causeSchema> | null {
  return cause === undefined ? null : answer(causeSchema, cause)
}

function scheduleOf({ attempts, nextAttemptAt, retries, isRetried }: Delivery, timeScale: number) {
  const times: { at: number; state: 'made' | 'planned' }[] = attempts.map(({ at }) => ({ at, state: 'made' }))
  if (nextAttemptAt !== undefined) {
    let at = nextAttemptAt
    times.push({ at, state: 'planned' })
    for (const delay of isRetried ? RETRY_DELAYS_MS.slice(retries) : []) {
      at += delay / timeScale
      times.push({ at, state: 'planned' })
    }
  }
  return times.map(({ at, state }, index) => ({ number: index + 1, at: isoTimestamp(at), state }))
}
