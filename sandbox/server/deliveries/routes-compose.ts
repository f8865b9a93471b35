import { recognize } from '@service-signature/core'
import { parsedJson } from '@service-signature/deliveries'
import Type, { type Static } from 'typebox'
import { printedEvent, textEvent, type Event } from '../events/events.js'
import { TEMPLATE_GROUPS, templatesOf, type Template, type TemplateSubject } from '../events/templates.js'
import { listOf, success } from '../http/envelope.js'
import { Operations, type App } from '../http/operation.js'
import { firstKeys } from '../accounts/organization.js'
import { invalid } from '../http/refusal.js'
import { exactly, flag, oneOf, optionalFlag, optionalText, orNull, ref, text } from '../http/schema.js'
import type { Service } from './sending.js'
import { ACCOUNTS } from '../accounts/records.js'
import type { Delivery } from './records.js'
import { findIntent } from '../intents/intents.js'
import { isPayment } from '../intents/records.js'
import { deliverySummaries, deliverySummarySchema, forgeriesOf, forgeryFields } from './routes-view.js'

export const templateSchema = exactly(
  {
    name: text,
    title: text,
    group: oneOf(TEMPLATE_GROUPS),
    type: orNull(text, { description: 'Null in a payload without a type' }),
    payload: Type.Object({}),
  },
  { $id: 'Template' },
)

export const recognitionSchema = exactly(
  {
    is_json: flag,
    shape: orNull(oneOf(['transaction', 'intent', 'unrecognized']), {
      description: 'Null if it is not JSON',
    }),
    type: orNull(text, { description: 'The type that the payload has' }),
    reason: orNull(oneOf(['unknown-type', 'invalid-payload'])),
    issues: Type.Array(exactly({ path: text, reason: text })),
  },
  { $id: 'Recognition' },
)

const SEQUENCES = ['once', 'duplicate', 'out-of-order', 'delayed', 'burst'] as const

const DEFAULT_COUNT = 10
const DEFAULT_DELAY_MS = 5000

/** The events that a payment sends, for a sequence that is out of order. */
const PAIRED = ['purchase-successful', 'intent-processed']

const composeBody = exactly({
  url: optionalText('Default: the webhook_url of the intent, or else the default endpoint'),
  template: optionalText('The name of a template'),
  payload: Type.Optional(
    Type.Unknown({ description: 'JSON, which is printed as bodies are; for "out-of-order", a list of two' }),
  ),
  text: optionalText('Sent byte for byte'),
  intent: optionalText('The intent that the event belongs to'),
  account: optionalText('Whose key signs v1. Default: that of the intent, or the first account'),
  is_live: optionalFlag('The mode of that key. Default: that of the intent, or false'),
  retries: optionalFlag('Whether it is sent again if it fails. Default: true; of a forgery false'),
  sequence: Type.Optional(oneOf(SEQUENCES)),
  count: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 500,
      description: `How many a burst has. Default: ${DEFAULT_COUNT}`,
    }),
  ),
  delay_ms: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 60_000, description: `For "delayed". Default: ${DEFAULT_DELAY_MS}` }),
  ),
  ...forgeryFields,
})

type ComposeBody = Static<typeof composeBody>

/** Events that no payment sends: composed by hand, or from a template. */
export function compose(app: App, service: Service): void {
  const operations = new Operations(app)

  operations.add(
    'GET /templates/',
    { id: 'listTemplates', summary: 'Events to start from', items: templateSchema },
    () => {
      const scope = { accountId: firstKeys(service).accountKey.accountId, isLive: false }
      return listOf(
        templatesOf(service, { scope }).map((template) => ({
          ...template,
          type: (template.payload['type'] as string | undefined) ?? null,
        })),
      )
    },
  )

  operations.add(
    'POST /compose/check/',
    {
      id: 'checkEvent',
      summary: 'Whether a text is JSON, and an event that is known',
      body: exactly({ text: Type.String() }),
      data: recognitionSchema,
    },
    ({ body }) => success(viewRecognition(body.text)),
  )

  operations.add(
    'POST /compose/',
    {
      id: 'sendEvent',
      summary: 'Send an event of any kind; the answer does not wait for the endpoint',
      body: composeBody,
      data: exactly({ deliveries: Type.Array(ref(deliverySummarySchema)) }),
    },
    ({ body, isTrusted }) =>
      success({ deliveries: sendComposed(service, body, isTrusted).map(deliverySummaries(service)) }),
  )
}

function viewRecognition(given: string): Static<typeof recognitionSchema> {
  const payload = parsedJson(given)
  if (payload === undefined) return { is_json: false, shape: null, type: null, reason: null, issues: [] }
  const event = recognize(payload)
  const { shape } = event
  return shape === 'unrecognized'
    ? {
        is_json: true,
        shape,
        type: event.receivedType ?? null,
        reason: event.reason,
        issues: [...event.issues],
      }
    : { is_json: true, shape, type: event.type, reason: null, issues: [] }
}

/** @throws {Refusal} on an address, a template or an account that it cannot be */
function sendComposed(service: Service, body: ComposeBody, isTrusted: boolean): readonly Delivery[] {
  const { store, deliveries } = service
  const intent = body.intent === undefined ? undefined : findIntent(service, body.intent, 'intent')
  const url = body.url ?? intent?.request.webhook_url ?? deliveries.defaultEndpoint
  if (url === undefined) {
    throw invalid(
      'url',
      'is missing, and there is no default endpoint',
      'There is no default endpoint. Send "url", or set a default endpoint in the settings of the sandbox.',
    )
  }
  service.targets.check(url, { isTrusted }, 'url')
  const accountId = body.account ?? intent?.scope.accountId ?? firstKeys(service).accountKey.accountId
  if (store.get(ACCOUNTS, accountId) === undefined) throw invalid('account', 'Account not found')
  const scope = { accountId, isLive: body.is_live ?? intent?.scope.isLive ?? false }
  const forgeries = forgeriesOf(body)
  const { sequence, delay_ms: delayMs = DEFAULT_DELAY_MS } = body
  const events = eventsOf(service, body, { scope, intent: intent && isPayment(intent) ? intent : undefined })
  const made = deliveries.add(events, {
    intentId: intent?.id,
    url,
    scope,
    keyId: intent?.keyId,
    source: 'composed',
    isOwn: true,
    forgeries,
    // A forgery that is refused, as it must be, need not be sent again.
    isRetried: body.retries ?? forgeries.length === 0,
  })
  deliveries.sendAsPlanned(made, {
    isAtOnce: sequence === 'burst',
    delayMs: sequence === 'delayed' ? delayMs : 0,
  })
  return made
}

/** The events of a sequence, in the order in which they are sent. */
function eventsOf(service: Service, body: ComposeBody, subject: TemplateSubject): readonly Event[] {
  const { sequence = 'once', count = DEFAULT_COUNT } = body
  switch (sequence) {
    case 'once':
    case 'delayed':
      return [oneEvent(service, body, subject)]
    case 'duplicate': {
      const event = oneEvent(service, body, subject)
      return [event, event]
    }
    case 'burst':
      // Those of a template are different payments.
      return Array.from({ length: count }, () => oneEvent(service, body, subject))
    case 'out-of-order':
      return [...twoEvents(service, body, subject)].reverse()
  }
}

function oneEvent(service: Service, body: ComposeBody, subject: TemplateSubject): Event {
  const { bodyStyle } = service.settings
  const { text, payload, template: name } = body
  if (text !== undefined) {
    if (payload !== undefined) throw invalid('text', 'cannot be sent together with "payload"')
    if (/\p{Surrogate}/u.test(text)) throw invalid('text', 'has half of a surrogate pair, which is not text')
    return textEvent(text)
  }
  if (payload !== undefined) return printedEvent(payload, bodyStyle)
  if (name === undefined) throw invalid('template', 'is missing', 'Send "template", "payload" or "text".')
  const templates = templatesOf(service, subject)
  const template = templates.find((each) => each.name === name)
  if (template === undefined) {
    throw invalid('template', `must be one of ${templates.map((each) => each.name).join(', ')}`)
  }
  return printedEvent(template.payload, bodyStyle)
}

/** The two events of a payment, or the two that were given. */
function twoEvents(service: Service, body: ComposeBody, subject: TemplateSubject): readonly Event[] {
  const { text, payload, template } = body
  if (text !== undefined)
    throw invalid('text', 'is one event, and "out-of-order" needs two: send a list as "payload"')
  if (template !== undefined && payload === undefined && !PAIRED.includes(template)) {
    throw invalid('template', `must be one of ${PAIRED.join(', ')} for "out-of-order"`)
  }
  const isPaired = ({ name }: Template) => PAIRED.includes(name)
  const pair =
    payload ??
    templatesOf(service, subject)
      .filter(isPaired)
      .map((each) => each.payload)
  if (!Array.isArray(pair) || pair.length !== 2)
    throw invalid('payload', 'must be a list of two for "out-of-order"')
  return pair.map((each) => printedEvent(each, service.settings.bodyStyle))
}
