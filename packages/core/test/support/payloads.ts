import fc from 'fast-check'
import { text } from './text.js'

/**
 * The rules for fields, independent of the sources: a kind, an object of fields, or an array of one of these. A kind
 * with "?" and an object that is `optional` may be absent or null, and so may an array.
 */
export type Rule = Kind | { readonly [field: string]: Rule } | readonly [Rule]
type EssentialKind = 'string' | 'number'
type OptionalKind = 'string?' | 'boolean?' | 'object?' | 'array?' | 'anything?'
type Kind = EssentialKind | OptionalKind

const isOptional = Symbol('may be absent or null')

function optional(fields: Readonly<Record<string, Rule>>): Rule {
  return { ...fields, [isOptional]: true } as Rule
}

const amount = { value: 'number', currency: 'string' } as const
const billingData = optional({
  first_name: 'string?',
  last_name: 'string?',
  email: 'string?',
  phone_number: 'string?',
})

const intentTransaction = {
  id: 'string',
  status: 'string',
  amount: 'string',
  amount_currency: 'string',
  custom_fields: 'object?',
  created: 'string?',
  billing_data: billingData,
  external_action_message: 'array?',
  payment_method: 'string?',
  payment_method_name: 'string?',
  custom_form_answers: 'object?',
  custom_message: 'string?',
  account: 'string?',
  provider_transaction_fields: 'object?',
  provider_signature_match: 'boolean?',
} as const

export const shapes: readonly { shape: 'transaction' | 'intent'; types: fc.Arbitrary<string>; rule: Rule }[] =
  [
    {
      shape: 'transaction',
      types: fc.tuple(fc.constant('transaction'), word(), word()).map((parts) => parts.join('.')),
      rule: {
        type: 'string',
        status_id: 'string?',
        intent: {
          id: 'string',
          created: 'string?',
          custom_fields: 'object?',
          custom_form_answers: 'object?',
          amount,
        },
        account: { id: 'string' },
        transaction: {
          type: 'string?',
          id: 'string',
          created: 'string?',
          status: 'string',
          billing_data: 'object?',
          external_action_message: 'array?',
          operations: [
            {
              id: 'string?',
              type: 'string?',
              status: 'string',
              amount,
              statuses: [{ id: 'string?', value: 'string', created: 'string?' }],
            },
          ],
          custom_message: 'string?',
          method: optional({
            id: 'string?',
            display_name: 'string?',
            service_provider: optional({ id: 'string?' }),
          }),
        },
        api_version: 'string?',
      },
    },
    {
      shape: 'intent',
      types: fc.tuple(fc.constant('intent'), word()).map((parts) => parts.join('.')),
      rule: {
        type: 'string',
        intent_type: 'string?',
        data: {
          intent_id: 'string',
          intent: {
            id: 'string',
            status: 'string',
            amount: 'number',
            amount_currency: 'string',
            account: 'string',
            type: 'string?',
            custom_fields: 'object?',
            billing_data: billingData,
            active_transaction: optional(intentTransaction),
            transactions_history: [intentTransaction],
            method: optional({ display_name: 'string?', id: 'string?' }),
            flow: 'anything?',
            is_live: 'boolean?',
            created: 'string?',
          },
        },
        api_version: 'string?',
      },
    },
  ]

function word(): fc.Arbitrary<string> {
  return fc.string({ unit: fc.constantFrom(...Array.from('abcxyz_')), minLength: 1, maxLength: 9 })
}

const KINDS: Readonly<Record<Kind, fc.Arbitrary<unknown>>> = {
  string: text(),
  number: fc.oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true })),
  'string?': fc.option(fc.string()),
  'boolean?': fc.option(fc.boolean()),
  'object?': fc.option(objects()),
  'array?': fc.option(fc.array(fc.jsonValue())),
  'anything?': fc.jsonValue(),
}

/** Copied through its JSON text, so that a key may also be __proto__. */
function objects(): fc.Arbitrary<unknown> {
  const key = fc.oneof(fc.string(), fc.constantFrom('__proto__', 'constructor', '10', 'EXTERNAL_SYSTEM_LINK'))
  return fc
    .dictionary(key, fc.jsonValue({ maxDepth: 2 }), { noNullPrototype: true })
    .map((value) => JSON.parse(JSON.stringify(value)) as unknown)
}

/** Payloads that are as the rule requires, with additional fields. Optional fields are absent in some of them. */
export function payloadsOf(rule: Rule): fc.Arbitrary<unknown> {
  if (typeof rule === 'string') return KINDS[rule]
  if (isList(rule)) return fc.option(fc.array(payloadsOf(rule[0]), { maxLength: 3 }), { freq: 5 })
  const fields = Object.entries(rule).map(([name, field]) => [name, payloadsOf(field)] as const)
  const requiredKeys = Object.keys(rule).filter((name) => !mayBeAbsent(rule[name]!))
  const whole = fc
    .tuple(
      fc.record(Object.fromEntries(fields), { requiredKeys, noNullPrototype: true }),
      fc.dictionary(
        word().map((name) => `extra_${name}`),
        fc.jsonValue(),
      ),
    )
    .map(([known, extra]): unknown => ({ ...extra, ...known }))
  return isOptional in rule ? fc.option(whole, { freq: 3 }) : whole
}

export interface Field {
  readonly path: readonly string[]
  /** Whether it may not be absent, wherever its parent is present. */
  readonly isEssential: boolean
  /** One of each kind of JSON value that the field may not have. */
  readonly misfits: readonly unknown[]
}

/** Every field that a rule knows, the first item of an array standing for all of them. */
export function fieldsOf(rule: Rule, path: readonly string[] = []): readonly Field[] {
  const here = path.length === 0 ? [] : [{ path, isEssential: !mayBeAbsent(rule), misfits: misfitsOf(rule) }]
  if (typeof rule === 'string') return here
  if (isList(rule)) return [...here, ...fieldsOf(rule[0], [...path, '0'])]
  return [...here, ...Object.entries(rule).flatMap(([name, field]) => fieldsOf(field, [...path, name]))]
}

function mayBeAbsent(rule: Rule): boolean {
  return typeof rule === 'string' ? rule.endsWith('?') : isList(rule) || isOptional in rule
}

function misfitsOf(rule: Rule): readonly unknown[] {
  if (rule === 'anything?') return []
  const values = { string: 'text', number: 5, boolean: true, object: { id: 1 }, array: [1], null: null }
  const kind = typeof rule === 'string' ? rule.replace('?', '') : isList(rule) ? 'array' : 'object'
  return Object.entries(values)
    .filter(([name]) => name !== kind && !(name === 'null' && mayBeAbsent(rule)))
    .map(([, value]) => value)
}

function isList(rule: Rule): rule is readonly [Rule] {
  return Array.isArray(rule)
}
