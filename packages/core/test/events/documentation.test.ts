import { readFileSync, writeFileSync } from 'node:fs'
import { afterAll, describe, expect, it } from 'vitest'
import { createDispatcher, EVENT_TYPES, recognize, WebhookError } from '../../src/index.js'
import { intentEvent, transactionEvent } from '../../src/testing.js'
import { HANDLERS, registered } from '../support/dispatching.js'

// The tables of the page are what the code does. To write them: UPDATE_DOCS=1 npx vitest run documentation.test
const PAGE = new URL('../../../../docs/events.md', import.meta.url)
const isUpdate = process.env['UPDATE_DOCS'] !== undefined
let page = readFileSync(PAGE, 'utf8')

// With a value in every field that has a kind.
const custom_form_answers = {}
const active_transaction = { ...intentEvent().data.intent.active_transaction!, custom_form_answers }
const shapes = {
  transaction: transactionEvent({ intent: { custom_form_answers } }),
  intent: intentEvent({
    data: { intent: { active_transaction, transactions_history: [active_transaction] } },
  }),
}

interface Row {
  readonly field: string
  readonly kind: string
  readonly absent: string
  readonly null: string
  readonly 'another kind': string
}

/** Every field of a payload that has them all, and what becomes of the event without it. */
function fieldsOf(payload: object, value: unknown, path: readonly string[] = []): readonly Row[] {
  const name = path.map((part) => (part === '0' ? '[]' : `.${part}`)).join('')
  const kind = kindOf(value)
  const inside =
    typeof value === 'object' && value !== null && !OPEN.includes(path.at(-1)!) ? Object.entries(value) : []
  const rows = inside.flatMap(([key, field]) => fieldsOf(payload, field, [...path, key]))
  if (path.length === 0) return rows
  const others = VALUES.filter((other) => other !== null && kindOf(other) !== kind)
  const outcomes = new Set(others.map((other) => outcomeOf(payload, path, other)))
  expect(outcomes.size, `one outcome for all values of another kind at ${name}`).toBe(1)
  const row = {
    field: `\`${name.slice(1)}\``,
    kind: kind === 'null' ? 'anything' : kind,
    // An item of a list is not absent.
    absent: path.at(-1) === '0' ? '-' : outcomeOf(payload, path, undefined),
    null: outcomeOf(payload, path, null),
    'another kind': [...outcomes][0]!,
  }
  return [row, ...rows]
}

// Whatever the merchant or a provider puts there.
const OPEN = [
  'custom_fields',
  'custom_form_answers',
  'provider_transaction_fields',
  'external_action_message',
]
const VALUES = ['text', 5, true, {}, [], null]

function kindOf(value: unknown): string {
  return value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value
}

function outcomeOf(payload: object, path: readonly string[], value: unknown): string {
  const copy: unknown = structuredClone(payload)
  const parent = path.slice(0, -1).reduce((each, name) => Reflect.get(each as object, name) as unknown, copy)
  const name = path.at(-1)!
  if (value === undefined) Reflect.deleteProperty(parent as object, name)
  else Reflect.set(parent as object, name, value)
  return recognize(copy).shape === 'unrecognized' ? 'invalid' : 'recognized'
}

function tableOf(rows: readonly object[]): string {
  const names = Object.keys(rows[0]!)
  const cells = [names, ...rows.map((row) => Object.values(row) as string[])]
  const widths = names.map((_, i) => Math.max(3, ...cells.map((row) => row[i]!.length)))
  const line = (row: readonly string[]) => `| ${row.map((cell, i) => cell.padEnd(widths[i]!)).join(' | ')} |`
  const [head, ...body] = cells.map(line)
  return [head, line(widths.map((width) => '-'.repeat(width))), ...body].join('\n')
}

/** What the page has between two markers. */
function section(name: string): string {
  const [end = ''] = name.split(':')
  const [, text] = new RegExp(`<!-- ${name} -->\n([^]*?)<!-- /${end} -->`).exec(page)!
  return text!.trim()
}

function expectTable(name: string, rows: readonly object[]): void {
  const table = tableOf(rows)
  const [end = ''] = name.split(':')
  if (isUpdate) {
    page = page.replace(
      new RegExp(`<!-- ${name} -->\n[^]*?<!-- /${end} -->`),
      () => `<!-- ${name} -->\n\n${table}\n\n<!-- /${end} -->`,
    )
  }
  expect(section(name)).toBe(table)
}

describe('docs/events.md', () => {
  afterAll(() => {
    if (isUpdate) writeFileSync(PAGE, page)
  })

  it.each(['transaction', 'intent'] as const)('has the fields of %s events', (shape) => {
    expectTable(`fields: ${shape}`, fieldsOf(shapes[shape], shapes[shape]))
  })

  it('gives a reason for each essential field, and for no other', () => {
    const isLeaf = ({ kind }: Row) => kind !== 'object' && kind !== 'array'
    const essential = Object.values(shapes)
      .flatMap((payload) => fieldsOf(payload, payload))
      .filter((row) => isLeaf(row) && row.absent === 'invalid')
      .map(({ field }) => field)
    const listed = section('essential').matchAll(/^\| (`[^`]+`) /gm)
    expect(Array.from(listed, ([, field]) => field).sort()).toEqual([...new Set(essential)].sort())
  })

  it('lists the types that are known, and marks all others as assumed', () => {
    const rows = Array.from(section('types').matchAll(/^\| `([^`]+)` .*\| (\w+)[^|]*\|$/gm))
    const known = rows.filter(([, , source]) => source !== 'assumed').map(([, type]) => type)
    expect(known).toEqual([...EVENT_TYPES])
    for (const [, type] of rows)
      expect(recognize({ ...shapes.transaction, ...shapes.intent, type }).shape).toMatch(/^[ti]/)
  })

  it('has what becomes of each event', async () => {
    const payloads = {
      recognized: transactionEvent(),
      'invalid payload': { ...transactionEvent(), account: null },
      'unknown type': { type: 'payout.sent' },
    }
    const rows = []
    for (const handlers of HANDLERS) {
      const row: Record<string, string> = {
        handlers: handlers.replace('matching', 'of its type').replace('*', '`*`'),
      }
      for (const [name, payload] of Object.entries(payloads)) {
        const called: string[] = []
        const dispatcher = registered(createDispatcher(), handlers, (handler) => called.push(handler))
        const outcome = await dispatcher.dispatch(recognize(payload)).catch((error: unknown) => error)
        const by = called.map((handler) => ` by ${handler.replace('matching', 'that').replace('*', '`*`')}`)
        row[name] = `${WebhookError.is(outcome) ? `\`${outcome.code}\`` : String(outcome)}${by.join('')}`
      }
      rows.push(row)
    }
    expectTable('dispatch', rows)
  })
})
