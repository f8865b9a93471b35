import { recognize } from '@service-signature/core'
import Type, { type Static } from 'typebox'
import { jsonProblem } from '../events/json-problem.js'
import { TEMPLATE_GROUPS, templatesOf } from '../events/templates.js'
import { listOf, success } from '../http/envelope.js'
import { operation, type App } from '../http/operation.js'
import { firstKeys } from '../model/model.js'
import { exactly, flag, oneOf, orNull, ref, text } from '../schema.js'
import type { Service } from '../service.js'
import { composeBody, sendComposed } from './composed-events.js'
import { deliverySummarySchema, viewDeliverySummary } from './delivery-view.js'

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
    problem: orNull(text, { description: 'Why it is not JSON, and where' }),
    shape: orNull(oneOf(['transaction', 'intent', 'unrecognized']), {
      description: 'Null if it is not JSON',
    }),
    type: orNull(text, { description: 'The type that the payload has' }),
    reason: orNull(oneOf(['unknown-type', 'invalid-payload'])),
    issues: Type.Array(exactly({ path: text, reason: text })),
  },
  { $id: 'Recognition' },
)

/** Events that no payment sends: composed by hand, or from a template. */
export function compose(app: App, service: Service): void {
  app.get(
    '/templates/',
    {
      schema: operation({
        id: 'listTemplates',
        summary: 'Events to start from',
        isOwn: true,
        data: templateSchema,
        isList: true,
      }),
    },
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

  app.post(
    '/compose/check/',
    {
      schema: operation({
        id: 'checkEvent',
        summary: 'Whether a text is JSON, and an event that is known',
        isOwn: true,
        body: exactly({ text: Type.String() }),
        data: recognitionSchema,
      }),
    },
    ({ body }) => success(viewRecognition(body.text)),
  )

  app.post(
    '/compose/',
    {
      schema: operation({
        id: 'sendEvent',
        summary: 'Send an event of any kind; the answer does not wait for the endpoint',
        isOwn: true,
        body: composeBody,
        data: exactly({ deliveries: Type.Array(ref(deliverySummarySchema)) }),
        refusals: [404],
      }),
    },
    ({ body }) => success({ deliveries: sendComposed(service, body).map(viewDeliverySummary) }),
  )
}

function viewRecognition(given: string): Static<typeof recognitionSchema> {
  const problem = jsonProblem(given)
  if (problem !== undefined) {
    return { is_json: false, problem, shape: null, type: null, reason: null, issues: [] }
  }
  const event = recognize(JSON.parse(given))
  const found = { is_json: true, problem: null, shape: event.shape }
  return event.shape === 'unrecognized'
    ? { ...found, type: event.receivedType ?? null, reason: event.reason, issues: [...event.issues] }
    : { ...found, type: event.type, reason: null, issues: [] }
}
