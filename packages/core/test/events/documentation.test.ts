import { readFileSync, writeFileSync } from 'node:fs'
import { afterAll, describe, expect, it } from 'vitest'
import { createDispatcher, EVENT_TYPES, recognize, WebhookError } from '../../src/entries/index.js'
import { intentEvent, transactionEvent } from '../../src/entries/testing.js'
import { HANDLERS, registered } from '../support/dispatching.js'

// The tables of the page match the code. To write that of the handlers: UPDATE_DOCS=1 npx vitest run documentation.test
const PAGE = new URL('../../../../docs/events.md', import.meta.url)
const isUpdate = process.env['UPDATE_DOCS'] !== undefined
let page = readFileSync(PAGE, 'utf8')

function tableOf(rows: readonly object[]): string {
  const names = Object.keys(rows[0]!)
  const cells = [names, ...rows.map((row) => Object.values(row) as string[])]
  const widths = names.map((_, i) => Math.max(3, ...cells.map((row) => row[i]!.length)))
  const line = (row: readonly string[]) => `| ${row.map((cell, i) => cell.padEnd(widths[i]!)).join(' | ')} |`
  const [head, ...body] = cells.map(line)
  return [head, line(widths.map((width) => '-'.repeat(width))), ...body].join('\n')
}

/** The part of the page between two markers. */
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

  it('lists the types that are known', () => {
    const types = Array.from(section('types').matchAll(/^\| `([^`]+)` /gm), ([, type]) => type)
    expect(types).toEqual([...EVENT_TYPES])
    for (const type of types)
      expect(recognize({ ...transactionEvent(), ...intentEvent(), type }).shape).toMatch(/^[ti]/)
  })

  it('shows the result of dispatching each event', async () => {
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
