import fc from 'fast-check'
import { isDeepStrictEqual } from 'node:util'
import { expect, it } from 'vitest'
import { createDispatcher, createVerifier, type WebhookEvent } from '../../src/entries/index.js'
import { transactionEvent } from '../../src/entries/testing.js'
import { intentSchema, transactionSchema, valibotIssues } from '../support/schemas.js'
import {
  bodies,
  bytesOf,
  deliver,
  eventBodies,
  jsonChanges,
  optionsOf,
  T,
  usualRules,
} from './arbitraries.js'
import { attempt, runs } from './checks.js'
import { hasValue, textOf } from './oracle/json.js'

const verifier = createVerifier(optionsOf(usualRules))

/** By the schemas in valibot. */
function shapeOf(payload: unknown): WebhookEvent['shape'] {
  const type = (payload as { type?: unknown } | null)?.type
  if (typeof type !== 'string' || Array.isArray(payload)) return 'unrecognized'
  const fits = (family: string, schema: Parameters<typeof valibotIssues>[0]) =>
    type.startsWith(`${family}.`) && valibotIssues(schema, payload).length === 0
  if (fits('transaction', transactionSchema)) return 'transaction'
  return fits('intent', intentSchema) ? 'intent' : 'unrecognized'
}

function expectEvent(event: WebhookEvent, payload: unknown): void {
  expect(isDeepStrictEqual(event.payload, payload)).toBe(true)
  expect(event.shape).toBe(shapeOf(payload))
  if (event.shape === 'unrecognized') {
    expect(event.issues.length).toBeGreaterThan(0)
    expect(event.issues.length).toBeLessThanOrEqual(20)
    // Where and what, without a value of the payload.
    for (const { path, reason } of event.issues) {
      expect(path).toMatch(/^(?:[a-z_]+(?:\.(?:[a-z_]+|[0-9]+))*)?$/)
      expect(reason).toMatch(/^(?:is|must (?:be|have)) [a-zA-Z ,]{4,60}$/)
    }
  } else {
    expect(event.type).toBe(event.payload.type)
    expect(event.apiVersion).toBe(event.payload.api_version ?? undefined)
  }
}

/** One handler is called: the one for every recognized event, or the one for all others. */
async function expectDispatch(event: WebhookEvent): Promise<void> {
  const called: string[] = []
  await createDispatcher()
    .on('*', () => void called.push('recognized'))
    .otherwise(() => void called.push('otherwise'))
    .dispatch({ event } as never)
  expect(called).toEqual([event.shape === 'unrecognized' ? 'otherwise' : 'recognized'])
}

const changed = fc.tuple(fc.constantFrom(...eventBodies), jsonChanges).map(([body, change]) => change(body))
const manyIssues = transactionEvent({ transaction: { operations: Array(30).fill({ id: 5 }) as [] } })
const examples = ['{"type":5}', 'null', '', JSON.stringify(manyIssues)].map(bytesOf)

it('recognizes a payload by its fields, passes it on unchanged and dispatches it once', async () => {
  await fc.assert(
    fc.asyncProperty(fc.oneof(changed, changed, bodies), async (signed) => {
      const { header, body } = deliver({ template: `t=${T},v3={v3}`, signed })
      const { value, error } = await attempt(() => verifier.verify(body, header))
      if (hasValue(body)) {
        expectEvent(value!.event, JSON.parse(textOf(body)!))
        await expectDispatch(value!.event)
      } else {
        expect(error?.code).toBe('ERR_BODY_NOT_JSON')
      }
    }),
    runs(120, examples),
  )
})
