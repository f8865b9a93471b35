import { deepStrictEqual } from 'node:assert'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type EventIssue, verifySync, type WebhookEvent } from '../../src/entries/index.js'
import { intentEvent, sign, transactionEvent } from '../../src/entries/testing.js'
import { recognize } from '../../src/events/event.js'
import { now, secret, timestamp } from '../support/deliveries.js'
import { print, trees } from '../support/json.js'
import { fieldsOf, payloadsOf, shapes } from '../support/payloads.js'
import { runs } from '../support/runs.js'
import { intentSchema, transactionSchema, valibotIssues } from '../support/schemas.js'

/** Signs, verifies, parses and recognizes the event. */
function eventOf(body: string): WebhookEvent {
  const header = sign(body, { secret, timestamp })
  return verifySync(body, header, { secret, now }).event
}

function issuesOf(payload: unknown): readonly EventIssue[] {
  const event = recognize(payload)
  if (event.shape !== 'unrecognized') throw new Error(`recognized as ${event.shape}`)
  return event.issues
}

const whole = { transaction: transactionEvent(), intent: intentEvent() }

describe.each(shapes)('shape $shape', ({ shape, types, rule }) => {
  const payloads = fc
    .tuple(payloadsOf(rule), types)
    .map(([payload, type]) => ({ ...(payload as { api_version?: string | null }), type }))

  it('is recognized with any values, and its payload is the result of JSON.parse', () => {
    fc.assert(
      fc.property(payloads, (payload) => {
        const body = JSON.stringify(payload)
        const parsed = JSON.parse(body) as unknown
        const event = eventOf(body)
        // Not toStrictEqual, which a key named "constructor" confuses.
        deepStrictEqual(event, {
          shape,
          type: payload.type,
          apiVersion: payload.api_version ?? undefined,
          payload: parsed,
        })
        // Keys in the same order too, __proto__ among them.
        expect(JSON.stringify(event.payload)).toBe(JSON.stringify(parsed))
      }),
      { numRuns: runs(60) },
    )
  })

  it('is not recognized if an essential field is missing, and the issue names the field', () => {
    const essential = fieldsOf(rule).filter(({ isEssential }) => isEssential)
    const fields = fc.constantFrom(...essential.map(({ path }) => path))
    fc.assert(
      fc.property(payloads, fields, (payload, path) => {
        fc.pre(has(payload, path))
        const issues = issuesOf(without(payload, path))
        expect(issues).toEqual([{ path: path.join('.'), reason: 'is missing' }])
      }),
      { numRuns: runs(100) },
    )
  })

  describe.each(fieldsOf(rule).map((field) => ({ ...field, name: field.path.join('.') })))(
    '$name',
    ({ path, misfits, name, isEssential }) => {
      const isType = name === 'type'
      const isItem = path.at(-1) === '0'

      it(isEssential ? 'is essential' : 'may be absent or null', () => {
        const absent = recognize(without(whole[shape], path))
        const empty = recognize(changed(whole[shape], path, null))
        if (isEssential) {
          expect(absent).toMatchObject({
            reason: 'invalid-payload',
            issues: [{ path: name, reason: 'is missing' }],
          })
          expect(empty).toMatchObject({ reason: 'invalid-payload', issues: [{ path: name }] })
        } else {
          expect(isItem).toBe(false)
          expect([absent.shape, empty.shape]).toEqual([shape, shape])
        }
      })

      it.each(misfits.map((value) => ({ value })))('is not $value', ({ value }) => {
        const issues = issuesOf(changed(whole[shape], path, value))
        expect(issues).not.toEqual([])
        // In an object without its fields, those are missing.
        for (const issue of issues) expect(`${issue.path}.`.startsWith(`${name}.`)).toBe(true)
        if (isType) expect(issues).toHaveLength(1)
      })
    },
  )

  it('is not recognized with a payload of another shape', () => {
    const other = shape === 'intent' ? transactionEvent() : intentEvent()
    const event = recognize({ ...other, type: whole[shape].type })
    expect(event).toMatchObject({ reason: 'invalid-payload', receivedType: whole[shape].type })
  })
})

describe('the factories', () => {
  it('are recognized', () => {
    expect(recognize(transactionEvent()).shape).toBe('transaction')
    expect(recognize(intentEvent()).shape).toBe('intent')
  })
})

describe('the payloads of real deliveries', () => {
  it.each([
    intentEvent({ data: { intent: { active_transaction: null } } }),
    intentEvent({ data: { intent: { method: {} } } }),
    intentEvent({ data: { intent: { billing_data: null } } }),
    intentEvent({ data: { intent: { billing_data: { first_name: null, phone_number: null } } } }),
    intentEvent({ data: { intent: { flow: { id: 'flow_1' }, transactions_history: [] } } }),
    transactionEvent({
      intent: { custom_fields: null },
      transaction: { billing_data: null, operations: [] },
    }),
  ])('are recognized, case %#', (payload) => {
    expect(recognize(payload).shape).not.toBe('unrecognized')
  })
})

describe('unrecognized', () => {
  it.each<[name: string, body: string, issues: readonly EventIssue[]]>([
    ['a string', '"webhook_payload"', [{ path: '', reason: 'must be an object, got a string' }]],
    ['null', 'null', [{ path: '', reason: 'must be an object, got null' }]],
    ['an array', '[{"type":"intent.processed"}]', [{ path: '', reason: 'must be an object, got an array' }]],
    ['no type', '{"api_version":"1.1"}', [{ path: 'type', reason: 'is missing' }]],
    [
      'a type that is not a string',
      '{"type":["intent.x"]}',
      [{ path: 'type', reason: 'must be a string, got an array' }],
    ],
    ['a type of no family', '{"type":"payout.sent"}', [{ path: 'type', reason: 'is of no known family' }]],
    ['a family without its dot', '{"type":"intents"}', [{ path: 'type', reason: 'is of no known family' }]],
    [
      'a family in another case',
      '{"type":"Intent.processed"}',
      [{ path: 'type', reason: 'is of no known family' }],
    ],
  ])('is %s', (_name, body, issues) => {
    const payload = JSON.parse(body) as unknown
    const type = (payload as { type?: unknown } | null)?.type
    expect(eventOf(body)).toStrictEqual({
      shape: 'unrecognized',
      type: 'unrecognized',
      ...(typeof type === 'string'
        ? { receivedType: type, reason: 'unknown-type' }
        : { reason: 'invalid-payload' }),
      payload,
      issues,
    })
  })

  it('is an event with an amount that is not a finite number', () => {
    const body = JSON.stringify(transactionEvent()).replace('50.5', '1e999')
    expect(eventOf(body)).toMatchObject({
      shape: 'unrecognized',
      issues: [{ path: 'intent.amount.value', reason: 'must be a finite number, got a number' }],
    })
  })

  it('names each field that does not fit, with its index in a list', () => {
    const payload = transactionEvent()
    const [operation] = payload.transaction.operations!
    const operations = [operation, { ...operation, amount: { value: true, currency: null } }, 5]
    expect(issuesOf(changed(payload, ['transaction', 'operations'], operations))).toEqual([
      { path: 'transaction.operations.1.amount.value', reason: 'must be a finite number, got a boolean' },
      { path: 'transaction.operations.1.amount.currency', reason: 'must be a string, got null' },
      { path: 'transaction.operations.2', reason: 'must be an object, got a number' },
    ])
  })

  it.each([
    'transaction.purchase. successful',
    'transaction.purchase.successful\n',
    'card_token .created',
    '\u0430',
  ])('is an event whose type has other characters than visible ASCII ones: %j', (type) => {
    const issues = [{ path: 'type', reason: 'must have only visible ASCII characters' }]
    expect(recognize({ ...whole.transaction, type })).toMatchObject({
      reason: 'invalid-payload',
      receivedType: type,
      issues,
    })
  })

  it('names at most twenty fields', () => {
    const operations = Array.from({ length: 1000 }, () => ({}))
    expect(issuesOf(changed(whole.transaction, ['transaction', 'operations'], operations))).toHaveLength(20)
  })

  it('does not repeat values of the payload', () => {
    const confidential = changed(whole.intent, ['data', 'intent', 'amount'], 'confidential')
    expect(JSON.stringify(issuesOf(confidential))).not.toContain('confidential')
  })
})

describe('any JSON at all', () => {
  it('never throws, and its payload is the result of JSON.parse', () => {
    fc.assert(
      fc.property(trees, (tree) => {
        const body = print(tree)
        expect(JSON.stringify(eventOf(body).payload)).toBe(JSON.stringify(JSON.parse(body)))
      }),
      { numRuns: runs(150) },
    )
  })
})

describe('valibot', () => {
  const schemas = { transaction: transactionSchema, intent: intentSchema }

  /** Compares our verdict with valibot's, and the first twenty issues of an invalid payload. */
  function expectAgreement(shape: 'transaction' | 'intent', payload: object): void {
    const event = recognize(payload)
    const expected = valibotIssues(schemas[shape], payload)
    expect(event.shape).toBe(expected.length === 0 ? shape : 'unrecognized')
    expect(event.shape === 'unrecognized' ? event.issues : []).toEqual(expected.slice(0, 20))
  }

  describe.each(shapes)('of shape $shape', ({ shape, types, rule }) => {
    const genuine = fc
      .tuple(payloadsOf(rule), types)
      .map(([payload, type]) => ({ ...(payload as object), type }))
    const paths = fieldsOf(rule)
      .map(({ path }) => path)
      .filter((path) => path.join() !== 'type')
    const values = fc.oneof(
      fc.jsonValue(),
      fc.constantFrom(undefined, null, {}, [], '', 0, Infinity, NaN, false, [{}], [[]]),
      fc.constant('{"__proto__":{"id":"","display_name":""}}').map((text) => JSON.parse(text) as unknown),
    )
    const changes = fc.array(fc.tuple(fc.constantFrom(...paths), values), { minLength: 1, maxLength: 4 })

    it('accepts the same valid payloads as this package', () => {
      fc.assert(
        fc.property(genuine, (payload) => {
          expectAgreement(shape, payload)
        }),
        { numRuns: runs(60) },
      )
    })

    it('reports the same issues if any fields have other values or are missing', () => {
      fc.assert(
        fc.property(fc.oneof(genuine, fc.constant(whole[shape])), changes, (payload, list) => {
          const mutated = list.reduce<unknown>(
            (last, [path, value]) =>
              has(last, path)
                ? value === undefined
                  ? without(last, path)
                  : changed(last, path, value)
                : last,
            payload,
          )
          expectAgreement(shape, mutated as object)
        }),
        { numRuns: runs(150) },
      )
    })

    it('reports the same issues in any value that claims to have this shape', () => {
      fc.assert(
        fc.property(fc.object(), types, (payload, type) => {
          expectAgreement(shape, { ...payload, type })
        }),
        { numRuns: runs(100) },
      )
    })
  })
})

function has(payload: unknown, path: readonly string[]): boolean {
  const parent = path
    .slice(0, -1)
    .reduce((value, name) => (value as Readonly<Record<string, unknown>> | null | undefined)?.[name], payload)
  return typeof parent === 'object' && parent !== null && Object.hasOwn(parent, path.at(-1)!)
}

function without(payload: unknown, path: readonly string[]): unknown {
  return edited(payload, path, (parent, name) => {
    if (Array.isArray(parent)) parent[Number(name)] = undefined
    else Reflect.deleteProperty(parent, name)
  })
}

function changed(payload: unknown, path: readonly string[], value: unknown): unknown {
  return edited(payload, path, (parent, name) => Reflect.set(parent, name, value))
}

function edited(
  payload: unknown,
  path: readonly string[],
  edit: (parent: object, name: string) => void,
): unknown {
  const copy = structuredClone(payload)
  const parent = path
    .slice(0, -1)
    .reduce((value, name) => Reflect.get(value as object, name) as unknown, copy)
  edit(parent as object, path.at(-1)!)
  return copy
}
