import fc from 'fast-check'
import { text } from './text.js'

/** What S6.6 says of a field, written down once more: a kind, an object of fields, or an array of one of these. */
export type Rule = Kind | { readonly [field: string]: Rule } | readonly [Rule]
type Kind = 'string' | 'string?' | 'number' | 'boolean' | 'object' | 'object?' | 'array' | 'anything'

const nullable = Symbol('or null')
const orEmpty = Symbol('or {}')

const amount = { value: 'number', currency: 'string' } as const
const billingData = {
  first_name: 'string?',
  last_name: 'string?',
  email: 'string?',
  phone_number: 'string?',
  [nullable]: true,
} as const

const intentTransaction = {
  id: 'string',
  custom_fields: 'object?',
  created: 'string',
  status: 'string',
  amount: 'string',
  amount_currency: 'string',
  billing_data: billingData,
  external_action_message: 'array',
  payment_method: 'string',
  payment_method_name: 'string',
  custom_form_answers: 'object?',
  custom_message: 'string',
  account: 'string',
  provider_transaction_fields: 'object',
  provider_signature_match: 'boolean',
} as const

export const shapes: readonly { shape: 'transaction' | 'intent'; types: fc.Arbitrary<string>; rule: Rule }[] =
  [
    {
      shape: 'transaction',
      types: fc.tuple(fc.constant('transaction'), word(), word()).map((parts) => parts.join('.')),
      rule: {
        type: 'string',
        status_id: 'string',
        intent: {
          id: 'string',
          created: 'string',
          custom_fields: 'object?',
          custom_form_answers: 'object?',
          amount,
        },
        account: { id: 'string' },
        transaction: {
          type: 'string',
          id: 'string',
          created: 'string',
          status: 'string',
          billing_data: 'object?',
          external_action_message: 'array',
          operations: [
            {
              id: 'string',
              type: 'string',
              status: 'string',
              amount,
              statuses: [{ id: 'string', value: 'string', created: 'string' }],
            },
          ],
          custom_message: 'string',
          method: { id: 'string', display_name: 'string', service_provider: { id: 'string' } },
        },
        api_version: 'string',
      },
    },
    {
      shape: 'intent',
      types: fc.tuple(fc.constant('intent'), word()).map((parts) => parts.join('.')),
      rule: {
        type: 'string',
        intent_type: 'string',
        data: {
          intent_id: 'string',
          intent: {
            id: 'string',
            status: 'string',
            amount: 'number',
            amount_currency: 'string',
            type: 'string',
            account: 'string',
            custom_fields: 'object?',
            billing_data: billingData,
            active_transaction: { ...intentTransaction, [nullable]: true } as Rule,
            transactions_history: [intentTransaction],
            method: { display_name: 'string', id: 'string', [orEmpty]: true } as Rule,
            flow: 'anything',
            is_live: 'boolean',
            created: 'string',
          },
        },
        api_version: 'string',
      },
    },
  ]

function word(): fc.Arbitrary<string> {
  return fc.string({ unit: fc.constantFrom(...Array.from('abcxyz_')), minLength: 1, maxLength: 9 })
}

const KINDS: Readonly<Record<Kind, fc.Arbitrary<unknown>>> = {
  string: text(),
  'string?': fc.option(fc.string()),
  number: fc.oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true })),
  boolean: fc.boolean(),
  object: objects(),
  'object?': fc.option(objects()),
  array: fc.array(fc.jsonValue()),
  anything: fc.jsonValue(),
}

/** By way of its text, so that a key may also be __proto__. */
function objects(): fc.Arbitrary<unknown> {
  const key = fc.oneof(fc.string(), fc.constantFrom('__proto__', 'constructor', '10', 'EXTERNAL_SYSTEM_LINK'))
  return fc
    .dictionary(key, fc.jsonValue({ maxDepth: 2 }), { noNullPrototype: true })
    .map((value) => JSON.parse(JSON.stringify(value)) as unknown)
}

/** Payloads that are as the rule says, with a few fields more. */
export function payloadsOf(rule: Rule): fc.Arbitrary<unknown> {
  if (typeof rule === 'string') return KINDS[rule]
  if (isList(rule)) return fc.array(payloadsOf(rule[0]), { maxLength: 3 })
  const fields = Object.entries(rule).map(([name, field]) => [name, payloadsOf(field)] as const)
  const whole = fc
    .tuple(
      fc.record(Object.fromEntries(fields)),
      fc.dictionary(
        word().map((name) => `extra_${name}`),
        fc.jsonValue(),
      ),
    )
    .map(([known, extra]): unknown => ({ ...extra, ...known }))
  if (nullable in rule) return fc.option(whole, { freq: 3 })
  return orEmpty in rule
    ? fc.oneof({ weight: 3, arbitrary: whole }, { weight: 1, arbitrary: fc.constant({}) })
    : whole
}

export interface Field {
  readonly path: readonly string[]
  /** One of each kind of JSON value that the field may not have. */
  readonly misfits: readonly unknown[]
}

/** Every field that a rule knows, the first item of an array standing for all of them. */
export function fieldsOf(rule: Rule, path: readonly string[] = []): readonly Field[] {
  const here = path.length === 0 ? [] : [{ path, misfits: misfitsOf(rule) }]
  if (typeof rule === 'string') return here
  if (isList(rule)) return [...here, ...fieldsOf(rule[0], [...path, '0'])]
  return [...here, ...Object.entries(rule).flatMap(([name, field]) => fieldsOf(field, [...path, name]))]
}

function misfitsOf(rule: Rule): readonly unknown[] {
  if (rule === 'anything') return []
  const values = { string: 'text', number: 5, boolean: true, object: { other: 1 }, array: [1], null: null }
  const kind = typeof rule === 'string' ? rule.replace('?', '') : isList(rule) ? 'array' : 'object'
  const isNullable = typeof rule === 'string' ? rule.endsWith('?') : nullable in rule
  return Object.entries(values)
    .filter(([name]) => name !== kind && !(name === 'null' && isNullable))
    .map(([, value]) => value)
}

function isList(rule: Rule): rule is readonly [Rule] {
  return Array.isArray(rule)
}
