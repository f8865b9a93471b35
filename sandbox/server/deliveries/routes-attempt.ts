import {
  curlOf,
  fixtureName,
  fixtureOf,
  harOf,
  type AttemptReport,
  type Forgery,
} from '@service-signature/deliveries'
import { vectorOf } from '@service-signature/deliveries/node'
import { STATUS_CODES } from 'node:http'
import Type, { type Static } from 'typebox'
import { lastSigningKey, organizationOf } from '../accounts/organization.js'
import { success } from '../http/envelope.js'
import { byId, Operations, type App } from '../http/operation.js'
import { packageVersion } from '../http/package-files.js'
import { unknown } from '../http/refusal.js'
import { exactly, oneOf, orNull, text } from '../http/schema.js'
import { findDelivery, reportAttempt, sentIn, type AttemptRecord, type Delivery } from './records.js'
import { changeBetween, type Change } from './reprint.js'
import type { Service } from './sending.js'

/** Which attempt of a delivery is meant. */
const attemptQuery = Type.Object({
  attempt: Type.Optional(
    Type.String({
      pattern: '^[1-9][0-9]{0,8}$',
      description: 'Which, counted from 1. Default: the last that is not a check',
    }),
  ),
})

const EXPORTS = ['fixture', 'vector', 'har', 'curl'] as const

const exportQuery = Type.Object({
  format: Type.Optional(oneOf(EXPORTS, { description: 'Default: fixture' })),
  ...attemptQuery.properties,
})

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

/** One attempt of a delivery: why it verifies or does not, and as a file. */
export function attempts(app: App, service: Service): void {
  const operations = new Operations(app)

  operations.add(
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
      return success(await explainAttempt(service, delivery, attempt))
    },
  )

  operations.add(
    'GET /deliveries/:id/export/',
    {
      id: 'exportDelivery',
      summary:
        'One attempt as a file: a fixture, a test vector (with the secret), a HAR, or a curl command line',
      params: byId,
      query: exportQuery,
      file: {
        description: 'The file',
        content: {
          'application/json': { schema: { type: 'object' } },
          'text/plain': { schema: { type: 'string' } },
        },
      },
    },
    ({ params, query: { format = 'fixture', ...query } }, reply) => {
      const { delivery, attempt } = chosenAttempt(service, params.id, query)
      const [name, content] = fileOf(reportAttempt(delivery, attempt), format, organizationOf(service).secret)
      return reply
        .type(`${format === 'curl' ? 'text/plain' : 'application/json'}; charset=utf-8`)
        .header('Content-Disposition', `attachment; filename="${name}"`)
        .send(typeof content === 'string' ? content : `${JSON.stringify(content, null, 2)}\n`)
    },
  )
}

/** @throws {Refusal} if the delivery or the attempt does not exist */
function chosenAttempt(service: Service, id: string, query: Static<typeof attemptQuery>) {
  const delivery = findDelivery(service.store, id)
  const { attempts } = delivery
  const last = attempts.map(({ isCheck }) => isCheck).lastIndexOf(false)
  const attempt = attempts[query.attempt === undefined ? last : Number(query.attempt) - 1]
  if (attempt === undefined) throw unknown('attempt', `There are ${attempts.length} attempts`)
  return { delivery, attempt }
}

function fileOf(
  report: AttemptReport,
  format: (typeof EXPORTS)[number],
  secret: string,
): readonly [name: string, content: string | object] {
  const { delivery: id } = report
  switch (format) {
    case 'curl':
      return [`${id}.sh`, curlOf(report)]
    case 'har': {
      const creator = { name: 'service-signature-sandbox', version: packageVersion() }
      return [`${id}.har`, harOf([report], { creator, statusTexts: STATUS_CODES })]
    }
    case 'vector':
      return [`${id}.vector.json`, vectorOf(report, secret)]
    case 'fixture':
      return [fixtureName(report), fixtureOf(report)]
  }
}

/** With the keys of now, at the time when it was made. The faults that were set come first, then the findings of "explain". */
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
  const { body, attempts } = delivery
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
    text: `${lines.map((line) => `${line}\n`).join('')}${formatReport(report)}`,
  }
}

const SENTENCES: Readonly<Record<Forgery, readonly string[]>> = {
  // The change itself is shown.
  tamper: [],
  stale: ['Signed with a time that was an hour old (stale).'],
  'wrong-secret': ['Signed with another secret and another API key (wrong-secret).'],
  'no-signature': ['Sent without Service-Signature (no-signature).'],
  reprinted: ['Signed over the parsed and re-serialized body (reprinted).'],
}

function changeSentence({ at, signed, sent }: Change): string {
  return `Changed after signing (tamper): at character ${at}, "${signed}" became "${sent}".`
}
