import Type from 'typebox'
import { success } from '../http/envelope.js'
import { byId, Operations, type App } from '../http/operation.js'
import { exactly, orNull, text } from '../http/schema.js'
import { lastSigningKey, organizationOf } from '../accounts/organization.js'
import type { Service } from './service.js'
import type { Forgery } from '@service-signature/deliveries'
import { sentIn, type AttemptRecord, type Delivery } from './records.js'
import { changeBetween, type Change } from './reprint.js'
import { attemptQuery, chosenAttempt } from './routes.js'

const change = exactly({
  at: Type.Integer({ description: 'Where, in characters from the beginning' }),
  signed: text,
  sent: text,
})

export const explanationSchema = exactly(
  {
    attempt: Type.Integer({ description: 'Counted from 1' }),
    on_purpose: Type.Array(text, { description: 'What the sandbox did to it, in sentences' }),
    change: orNull(change, { description: 'What was changed after signing' }),
    report: Type.Object({}, { description: 'As "explain" of @service-signature/explain returns it' }),
    text: Type.String({ description: 'All of it for people' }),
  },
  { $id: 'Explanation' },
)

/** Why an attempt verifies or does not, with the keys of now and at the time when it was made. */
export function explanations(app: App, service: Service): void {
  new Operations(app).add(
    'GET /deliveries/:id/explain/',
    {
      id: 'explainDelivery',
      summary: 'Why an attempt verifies or does not',
      params: byId,
      query: attemptQuery,
      data: explanationSchema,
    },
    async ({ params, query }) => {
      const { delivery, attempt } = chosenAttempt(service, params.id, query)
      return success(viewExplanation(delivery, attempt, await explainAttempt(service, delivery, attempt)))
    },
  )
}

async function explainAttempt(service: Service, delivery: Delivery, attempt: AttemptRecord) {
  // Loaded on the first use: most sandboxes are started by tests, which never ask for it.
  const { explain, formatReport } = await import('@service-signature/explain')
  const report = await explain(sentIn(delivery, attempt).body, attempt.signature, {
    secret: organizationOf(service).secret,
    apiKey: lastSigningKey(service, delivery.scope, delivery.keyId),
    versions: ['v1', 'v2', 'v3'],
    now: attempt.at,
    // Only the developer waits for it, so it may take longer than in an endpoint.
    timeLimitMilliseconds: 1000,
    bodyLimit: Infinity,
  })
  return { report, words: formatReport(report) }
}

/** The faults that were set come first, then the findings of "explain". */
function viewExplanation(
  { attempts, body }: Delivery,
  attempt: AttemptRecord,
  { report, words }: Awaited<ReturnType<typeof explainAttempt>>,
) {
  const made = changeBetween(body, attempt.changedBody ?? body)
  const onPurpose = [
    ...(made === undefined ? [] : [changeSentence(made)]),
    ...attempt.faults.flatMap((forgery) => SENTENCES[forgery]),
  ]
  const lines = onPurpose.length === 0 ? [] : ['On purpose', ...onPurpose.map((line) => `  ${line}`), '']
  return {
    attempt: attempts.indexOf(attempt) + 1,
    on_purpose: onPurpose,
    change: made ?? null,
    report,
    text: `${lines.map((line) => `${line}\n`).join('')}${words}`,
  }
}

const SENTENCES: Readonly<Record<Forgery, readonly string[]>> = {
  // The change itself is shown.
  tamper: [],
  stale: ['Signed with a time that was an hour old (stale).'],
  'wrong-secret': ['Signed with another secret and another API key (wrong-secret).'],
  'no-signature': ['Sent without Service-Signature (no-signature).'],
  reprinted: ['Signed over the body parsed and printed again (reprinted).'],
}

function changeSentence({ at, signed, sent }: Change): string {
  return `Changed after signing (tamper): at character ${at}, "${signed}" became "${sent}".`
}
