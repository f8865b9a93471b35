import type { ExplainReport } from '@service-signature/explain'
import type { Attempt, Delivery } from '../deliveries/delivery.js'
import { changeBetween, type Change } from '../faults/change.js'

const text = { type: 'string' }

const change = {
  type: ['object', 'null'],
  description: 'What was changed after signing',
  properties: {
    at: { type: 'integer', description: 'Where, in characters from the beginning' },
    signed: text,
    sent: text,
  },
  required: ['at', 'signed', 'sent'],
  additionalProperties: false,
}

const properties = {
  attempt: { type: 'integer', description: 'Counted from 1' },
  on_purpose: { type: 'array', items: text, description: 'What the sandbox did to it, in sentences' },
  change,
  report: { type: 'object', description: 'As "explain" of @service-signature/explain makes it' },
  text: { ...text, description: 'All of it for people' },
}

export const explanationSchema = {
  $id: 'Explanation',
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
}

/** Why an attempt verifies or does not; what was done to it on purpose stands before what can be seen from outside. */
export function viewExplanation(
  delivery: Delivery,
  attempt: Attempt,
  { report, words }: { readonly report: ExplainReport; readonly words: string },
) {
  const made = changeBetween(delivery.body, attempt.body)
  const onPurpose = [
    ...(made === undefined ? [] : [changeSentence(made)]),
    ...(attempt.faults.includes('stale') ? ['Signed with a time that was an hour old (stale).'] : []),
  ]
  const lines = onPurpose.length === 0 ? [] : ['On purpose', ...onPurpose.map((line) => `  ${line}`), '']
  return {
    attempt: delivery.attempts.indexOf(attempt) + 1,
    on_purpose: onPurpose,
    change: made ?? null,
    report,
    text: `${lines.map((line) => `${line}\n`).join('')}${words}`,
  }
}

function changeSentence({ at, signed, sent }: Change): string {
  return `Changed after signing (tamper): at character ${at}, "${signed}" became "${sent}".`
}
