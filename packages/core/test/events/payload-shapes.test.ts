import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { recognize } from '../../src/entries/index.js'
import { intentEvent, transactionEvent } from '../../src/entries/testing.js'

// The lists of the page are written by hand; these tests compare them with the code.
const page = readFileSync(new URL('../../../../docs/specification.md', import.meta.url), 'utf8')

// With a value in every field that has a kind.
const custom_form_answers = {}
const active_transaction = { ...intentEvent().data.intent.active_transaction!, custom_form_answers }
const transaction = transactionEvent({ intent: { custom_form_answers } })
const intent = intentEvent({
  data: { intent: { active_transaction, transactions_history: [active_transaction] } },
})

/** Objects and lists with anything in them: of the merchant, a provider or, in a transaction event, the customer. */
const OPEN = [
  'custom_fields',
  'custom_form_answers',
  'provider_transaction_fields',
  'external_action_message',
  'transaction.billing_data',
  'data.intent.active_transaction.billing_data',
  'data.intent.transactions_history[].billing_data',
]
const VALUES = ['text', 5, true, {}, [], null]

interface Field {
  /** As the page spells it. */
  readonly name: string
  readonly kind: string
  readonly isEssential: boolean
}

/** Every field of a payload that has them all. */
function fieldsOf(payload: object, value: unknown = payload, path: readonly string[] = []): Field[] {
  const name = path.join('.').replaceAll('.0', '[]')
  const isOpen = OPEN.includes(name) || OPEN.includes(path.at(-1)!)
  const inside = typeof value === 'object' && value !== null && !isOpen ? Object.entries(value) : []
  const fields = inside.flatMap(([key, field]) => fieldsOf(payload, field, [...path, key]))
  return path.length === 0 ? fields : [{ name, ...fieldAt(payload, path, value) }, ...fields]
}

function fieldAt(payload: object, path: readonly string[], value: unknown): Omit<Field, 'name'> {
  const others = VALUES.filter((each) => each !== null && kindOf(each) !== kindOf(value))
  const accepted = others.filter((other) => isRecognizedWith(payload, path, other)).map(kindOf)
  const kind =
    accepted.length === others.length ? 'anything' : [kindOf(value), ...accepted].sort().join(' or ')
  const isEssential = !isRecognizedWith(payload, path, null)
  // An item of a list cannot be absent.
  if (path.at(-1) !== '0') expect(isRecognizedWith(payload, path, undefined)).toBe(!isEssential)
  return { kind, isEssential }
}

function kindOf(value: unknown): string {
  return value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value
}

/** Whether the event is recognized with another value at the path, or, for undefined, without the field. */
function isRecognizedWith(payload: object, path: readonly string[], value: unknown): boolean {
  const copy: unknown = structuredClone(payload)
  const parent = path.slice(0, -1).reduce((each, name) => Reflect.get(each as object, name) as unknown, copy)
  const name = path.at(-1)!
  if (value === undefined) Reflect.deleteProperty(parent as object, name)
  else Reflect.set(parent as object, name, value)
  return recognize(copy).shape !== 'unrecognized'
}

/** The lines of the list after a marker of the page, as field, kind and notes. */
function rowsOf(marker: string): string[][] {
  const [, list = ''] = new RegExp(`<!-- fields: ${marker} -->\n\n\`\`\`text\n([^]*?)\n\`\`\``).exec(page)!
  const lines = list.split('\n').slice(1)
  return lines.map((line) => line.split(/ {2,}/))
}

function listed(list: string): Field[] {
  return rowsOf(list).map(([name, kind, notes = '']) => {
    const kinds = kind!.split(' or ').sort().join(' or ')
    return { name: name!, kind: kinds, isEssential: notes.startsWith('essential') }
  })
}

/** The fields below a path, by their names from there on. */
function below(prefix: string, fields: readonly Field[]): Field[] {
  return fields
    .filter(({ name }) => name.startsWith(prefix))
    .map((field) => ({ ...field, name: field.name.slice(prefix.length) }))
}

describe('the payload shapes of docs/specification.md', () => {
  const [active, past] = ['data.intent.active_transaction.', 'data.intent.transactions_history[].']
  const fields = fieldsOf(intent)

  it('have every field of a transaction event, its kind, and whether it is essential', () => {
    expect(listed('transaction')).toEqual(fieldsOf(transaction))
  })

  it('have every field of an intent event, its kind, and whether it is essential', () => {
    const own = fields.filter(({ name }) => ![active, past].some((prefix) => name.startsWith(prefix)))
    expect(listed('intent')).toEqual(own)
  })

  it.each([active, past])('have every field of a transaction of an intent, as in %s', (prefix) => {
    expect(listed('intent transaction')).toEqual(below(prefix, fields))
  })

  it.each(['transaction', 'intent', 'intent transaction'])('mark the source of each field of %s', (list) => {
    for (const [name, kind, notes = ''] of rowsOf(list)) {
      expect(notes, name).toMatch(/^(?:essential)?(?:(?:^|, )(?:also null|seen|our choice))?$/)
      if (kind!.includes(' or ')) expect(notes, name).toMatch(/our choice$/)
    }
  })
})
