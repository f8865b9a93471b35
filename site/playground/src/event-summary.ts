import { recognize, type EventIssue, type WebhookEvent } from '@service-signature/core'
import { parseJson } from '@service-signature/core/signature/canonical-json/parse-json'
import { Refusal, resultOf } from './refusal.js'

/** What the body reports, whether or not its signature is valid. */
export interface EventSummary {
  readonly isRecognized: boolean
  /** What it is, or why it is not recognized. */
  readonly sentence: string
  readonly facts: readonly (readonly [label: string, value: string])[]
  /** What keeps the payload from being of its shape. */
  readonly issues: readonly EventIssue[]
}

export function eventSummary(body: Uint8Array): EventSummary {
  const event = resultOf(() => recognize(parseJson(body)))
  if (!(event instanceof Refusal)) return summaryOf(event)
  return { isRecognized: false, sentence: event.sentence, facts: [], issues: [] }
}

function summaryOf(event: WebhookEvent): EventSummary {
  switch (event.shape) {
    case 'transaction': {
      const { intent, transaction, account } = event.payload
      return recognized(event.type, event.shape, event.apiVersion, [
        ['Transaction', `${transaction.id}, ${transaction.status}`],
        ['Intent', intent.id],
        ['Amount', `${intent.amount.value} ${intent.amount.currency}`],
        ['Account', account.id],
      ])
    }
    case 'intent': {
      const { intent } = event.payload.data
      return recognized(event.type, event.shape, event.apiVersion, [
        ['Intent', `${intent.id}, ${intent.status}`],
        ['Amount', `${intent.amount} ${intent.amount_currency}`],
        ['Account', intent.account],
      ])
    }
    case 'unrecognized':
      return unrecognized(event)
  }
}

function recognized(
  type: string,
  shape: string,
  apiVersion: string | undefined,
  facts: EventSummary['facts'],
): EventSummary {
  return {
    isRecognized: true,
    sentence: `The event ${type} is recognized.`,
    facts: [['Shape', shape], ['API version', apiVersion ?? 'not in the payload'], ...facts],
    issues: [],
  }
}

function unrecognized(event: Extract<WebhookEvent, { shape: 'unrecognized' }>): EventSummary {
  const { receivedType, reason, issues } = event
  const sentence =
    receivedType === undefined
      ? 'The body is JSON, but not an event.'
      : reason === 'unknown-type'
        ? `The type ${JSON.stringify(receivedType)} is of no known family of events.`
        : `The type is ${JSON.stringify(receivedType)}, but the payload does not have its shape.`
  return { isRecognized: false, sentence, facts: [], issues }
}
