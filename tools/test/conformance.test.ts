import { expect, it } from 'vitest'
import { conformancePage, statementsOf } from '../conformance-page.js'

const SPECIFICATION = `# Specification

## Keys

| statement                                                | known from |
| -------------------------------------------------------- | ---------- |
| <a id="key"></a>The key is a [text](#key), of the \`v1\` | documented |

## Cards

- <a id="flags"></a>Only one of the flags \`a.b\` can be
  true. Otherwise: 400.
1. <a id="delete"></a>A card is deleted (3DS).

### Not tested
`
const OWN = '| <a id="window"></a>It may be 300 s old | our choice |\n'

const result = (title: string, options: Partial<Parameters<typeof conformancePage>[0][number]> = {}) => ({
  ...{ file: 'a.test.ts', ancestorTitles: ['Cards'], title, status: 'passed' },
  ...{ location: { line: 1 }, meta: {}, ...options },
})
const ALL = result('all', { meta: { holds: ['key', 'flags', 'delete'] } })

it('the statements are the sentences, items and rows that have an id, under their heading', () => {
  const { statements, headings } = statementsOf(SPECIFICATION + OWN)
  expect(Object.fromEntries(statements)).toEqual({
    key: { heading: 'Keys', text: 'The key is a text, of the `v1`', isOwn: false },
    flags: { heading: 'Cards', text: 'Only one of the flags `a.b` can be true', isOwn: false },
    delete: { heading: 'Cards', text: 'A card is deleted (3DS)', isOwn: false },
    window: { heading: 'Not tested', text: 'It may be 300 s old', isOwn: true },
  })
  expect(headings).toEqual(['Specification', 'Keys', 'Cards', 'Not tested'])
})

it('the page has a row for each statement, and for each test or table of tests of our own choice', () => {
  const { text, problems } = conformancePage(
    [
      ALL,
      result('our choice: refuses a field: a | 1', { location: { line: 7 } }),
      result('our choice: refuses a field: b', { location: { line: 7 } }),
      result('the key is text', { ancestorTitles: ['Anything'], meta: { holds: ['delete'] } }),
      result('our choice: a list: ends', { location: { line: 9 } }),
    ],
    SPECIFICATION,
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

const EITHER = `either name the statement that it holds, holds('...'), or begin its title with "our choice: "`
it.each([
  ['without a statement', 'pays', {}, EITHER],
  ['of our choice, with a statement', 'our choice: pays', { meta: { holds: ['key'] } }, EITHER],
  [
    'with an unknown statement',
    'pays',
    { meta: { holds: ['none'] } },
    'docs/specification.md has no documented statement <a id="none">',
  ],
  [
    'under an unknown heading',
    'our choice: pays',
    { ancestorTitles: ['Other'] },
    'docs/specification.md has no heading "Other"',
  ],
  ['that fails', 'our choice: pays', { status: 'failed' }, 'it failed'],
])('the page is refused if there is a test %s', (_, title, options, problem) => {
  const { problems } = conformancePage([ALL, result(title, options)], SPECIFICATION)
  expect(problems).toEqual([`"${title}": ${problem}`])
})

it('the page is refused if no test holds a statement', () => {
  expect(conformancePage([], SPECIFICATION).problems).toEqual([
    'specification.md#key: no test holds it',
    'specification.md#flags: no test holds it',
    'specification.md#delete: no test holds it',
  ])
})
