import fc from 'fast-check'
import { text } from './text.js'

/**
 * The rules for fields, independent of the sources: a kind, an object of fields, or an array of one of these. A kind
 * with "?" and an object that is `optional` may be absent or null, and so may an array.
 */
export type Rule = Kind | { readonly [field: string]: Rule } | readonly [Rule]
type EssentialKind = 'code' | 'number'
type OptionalKind =
  | 'string?'
  | 'string or number?'
  | 'boolean?'
  | 'object?'
  | 'object, string or number?'
  | 'array?'
  | 'anything?'
type Kind = EssentialKind | OptionalKind

const isOptional = Symbol('may be absent or null')

function optional(fields: Readonly<Record<string, Rule>>): Rule {
  return { ...fields, [isOptional]: true } as Rule
}

const amount = { value: 'number', currency: 'code' } as const
const billingData = optional({
  first_name: 'string?',
  last_name: 'string?',
  email: 'string?',
  phone_number: 'string?',
})

const intentTransaction = {
  id: 'code',
  status: 'code',
  amount: 'code',
  amount_currency: 'code',
  custom_fields: 'object, string or number?',
  created: 'string?',
  billing_data: 'object, string or number?',
  external_action_message: 'array?',
  payment_method: 'string or number?',
  payment_method_name: 'string or number?',
  custom_form_answers: 'object, string or number?',
  custom_message: 'string or number?',
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
        type: 'code',
        status_id: 'string?',
        intent: {
          id: 'code',
          created: 'string?',
          custom_fields: 'object?',
          custom_form_answers: 'object?',
          amount,
        },
        account: { id: 'code' },
        transaction: {
          type: 'string?',
          id: 'code',
          created: 'string?',
          status: 'code',
          billing_data: 'object?',
          external_action_message: 'array?',
          operations: [
            {
              id: 'string or number?',
              type: 'string?',
              status: 'code',
              amount,
              statuses: [{ id: 'string or number?', value: 'code', created: 'string?' }],
            },
          ],
          custom_message: 'string?',
          method: optional({
            id: 'string or number?',
            display_name: 'string?',
            service_provider: optional({ id: 'string or number?' }),
          }),
        },
        api_version: 'string?',
      },
    },
    {
      shape: 'intent',
      types: fc.tuple(fc.constant('intent'), word()).map((parts) => parts.join('.')),
      rule: {
        type: 'code',
        intent_type: 'string?',
        data: {
          intent_id: 'code',
          intent: {
            id: 'code',
            status: 'code',
            amount: 'number',
            amount_currency: 'code',
            account: 'code',
            type: 'string?',
            custom_fields: 'object, string or number?',
            billing_data: billingData,
            active_transaction: optional(intentTransaction),
            transactions_history: [intentTransaction],
            method: optional({ display_name: 'string or number?', id: 'string or number?' }),
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
  code: codes(),
  number: numbers(),
  'string?': fc.option(text()),
  'string or number?': fc.option(fc.oneof(text(), numbers())),
  'boolean?': fc.option(fc.boolean()),
  'object?': fc.option(objects()),
  'object, string or number?': fc.option(fc.oneof(objects(), text(), numbers())),
  'array?': fc.option(fc.array(fc.jsonValue())),
  'anything?': fc.jsonValue(),
}

/** What identifies a thing: visible ASCII characters. */
function codes(): fc.Arbitrary<string> {
  return fc.string({ unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)) })
}

function numbers(): fc.Arbitrary<number> {
  return fc.oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }))
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

/** A space, a no-break space, a line break, a control character, DEL and a letter that only looks like ASCII. */
const ODD_CODES = ['a b', ' a', 'a\u00a0', 'a\n', '\u0000', 'a\u007f', '\u0430']

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
  const rules = typeof rule === 'string' ? rule : isList(rule) ? 'array' : 'object'
  const kinds = rules.replace('code', 'string').match(/[a-z]+/g)!
  const misfits: unknown[] = Object.entries(values)
    .filter(([name]) => !kinds.includes(name) && !(name === 'null' && mayBeAbsent(rule)))
    .map(([, value]) => value)
  // v1 and v2 do not sign spaces.
  return rules.startsWith('code') ? [...misfits, ...ODD_CODES] : misfits
}

function isList(rule: Rule): rule is readonly [Rule] {
  return Array.isArray(rule)
}
