import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { conformancePage, statementsOf } from '../conformance-page.js'

const SPECIFICATION = `# Specification

## Keys

| statement                                                | known from |
| -------------------------------------------------------- | ---------- |
| <a id="key"></a>The key is a [text](#key), of the \`v1\` | documented |
| <a id="window"></a>It may be 300 s old                   | our choice |

## Cards

- <a id="flags"></a>Only one of the flags \`a.b\` can be
  true. Otherwise: 400.
1. <a id="delete"></a>A card is deleted (3DS).

### Not tested
`

const result = (title: string, options: Partial<Parameters<typeof conformancePage>[0][number]> = {}) => ({
  file: 'a.test.ts',
  ancestorTitles: ['Cards'],
  title,
  status: 'passed',
  location: { line: 1 },
  meta: {},
  ...options,
})
const ALL = result('all', { meta: { holds: ['key', 'flags', 'delete'] } })
const specification = SPECIFICATION.replace('| our choice |', '| documented |').replace(
  '<a id="window"></a>',
  '',
)
const problemsOf = (...results: ReturnType<typeof result>[]) =>
  conformancePage([ALL, ...results], specification).problems

describe('the statements of the specification', () => {
  it('are the sentences, items and rows that have an id, under their heading', () => {
    const { statements, headings } = statementsOf(SPECIFICATION)
    expect([...statements.values()]).toEqual([
      { anchor: 'key', heading: 'Keys', text: 'The key is a text, of the `v1`', isOwn: false },
      { anchor: 'window', heading: 'Keys', text: 'It may be 300 s old', isOwn: true },
      { anchor: 'flags', heading: 'Cards', text: 'Only one of the flags `a.b` can be true', isOwn: false },
      { anchor: 'delete', heading: 'Cards', text: 'A card is deleted (3DS)', isOwn: false },
    ])
    expect(headings).toEqual(['Specification', 'Keys', 'Cards', 'Not tested'])
  })

  it('have texts that are not empty in docs/specification.md', () => {
    const { statements } = statementsOf(
      readFileSync(new URL('../../docs/specification.md', import.meta.url), 'utf8'),
    )
    expect(statements.size).toBeGreaterThan(50)
    for (const { anchor, text } of statements.values()) expect(text, anchor).toMatch(/^.{10,}$/)
  })
})

describe('the conformance page', () => {
  it('has a row for each statement, and one for each test or table of tests of our own choice', () => {
    const { text, problems } = conformancePage(
      [
        result('a card is deleted', { meta: { holds: ['delete'] } }),
        result('our choice: refuses a field: a | 1', { location: { line: 7 } }),
        result('the flags exclude each other', { meta: { holds: ['flags'] } }),
        result('our choice: refuses a field: b', { location: { line: 7 } }),
        result('the key is text', { ancestorTitles: ['Anything'], meta: { holds: ['key', 'delete'] } }),
        result('our choice: a list: ends', { location: { line: 9 } }),
      ],
      specification,
    )
    expect(problems).toEqual([])
    expect(text.slice(text.indexOf('5 statements'))).toBe(`5 statements: 3 documented, 2 our choice.

## Keys

| statement | known from | tests |
| --- | --- | --: |
| [The key is a text, of the \`v1\`](specification.md#key) | documented | 1 |

## Cards

| statement | known from | tests |
| --- | --- | --: |
| [Only one of the flags \`a.b\` can be true](specification.md#flags) | documented | 1 |
| [A card is deleted (3DS)](specification.md#delete) | documented | 2 |
| refuses a field | our choice | 2 |
| a list: ends | our choice | 1 |`)
  })

  it('is refused if a test has neither a statement nor the mark of our own choice', () => {
    expect(problemsOf(result('pays'))).toEqual([
      '"pays": name the statement that it holds, holds(\'...\'), or begin its title with "our choice: "',
    ])
  })

  it('is refused if a test links a statement that does not exist', () => {
    expect(problemsOf(result('pays', { meta: { holds: ['none'] } }))).toEqual([
      '"pays": docs/specification.md has no <a id="none">',
    ])
  })

  it('is refused if a test links a statement that is not documented', () => {
    const { problems } = conformancePage([result('pays', { meta: { holds: ['window'] } })], SPECIFICATION)
    expect(problems).toContain('"pays": docs/specification.md#window is not documented')
  })

  it('is refused if a test of our own choice links a statement', () => {
    expect(problemsOf(result('our choice: pays', { meta: { holds: ['key'] } }))).toEqual([
      '"our choice: pays": it is our choice, and holds a documented statement',
    ])
  })

  it('is refused if no test holds a statement', () => {
    expect(conformancePage([], specification).problems).toEqual([
      'specification.md#key: no test holds it',
      'specification.md#flags: no test holds it',
      'specification.md#delete: no test holds it',
    ])
  })

  it('is refused if a group of tests of our own choice has a name that is not a heading', () => {
    expect(problemsOf(result('our choice: pays', { ancestorTitles: ['Other'] }))).toEqual([
      '"our choice: pays": docs/specification.md has no heading "Other"',
    ])
  })

  it('is refused if a test fails or has a broken title, or if two tests share one', () => {
    const own = (options: object) => result('our choice: pays', options)
    expect(problemsOf(own({ status: 'failed' }))).toEqual(['"our choice: pays": it failed'])
    expect(problemsOf(own({ title: 'our choice: pays undefined' }))).toEqual([
      '"our choice: pays undefined": its title has a value that is undefined',
    ])
    expect(problemsOf(own({}), own({ location: { line: 2 } }))).toEqual([
      '"Cards: pays": two groups of tests have this title',
    ])
  })

  it('is refused if the titles of a table of tests do not begin with one statement', () => {
    expect(() => problemsOf(result('our choice: pays 1'), result('our choice: pays 2'))).toThrow(
      '"pays 1": the titles of a table of tests must be "<statement>: <case>"',
    )
  })
})
