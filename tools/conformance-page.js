// The text of docs/sandbox-conformance.md, from the results of the tests and the statements of docs/specification.md.
import { plainText, withoutFences } from './markdown-links.js'

/**
 * The result of a test, as Vitest reports it.
 *
 * @typedef {{
 *   file: string, ancestorTitles: string[], title: string, status: string,
 *   location: { line: number }, meta: { holds?: string[] },
 * }} Result
 * @typedef {{ anchor: string, heading: string, text: string, isOwn: boolean }} Statement
 * @typedef {{ heading: string, text: string, anchor?: string, tests: number }} Row
 */

const OWN = 'our choice: '
const PAGE = 'specification.md'

const INTRODUCTION = `# Conformance of the sandbox

What the payment service documents, and what the sandbox does. A statement with a link is documented; the number is how many tests in
\`packages/sandbox/test/specification\` hold it. "Our choice" marks behaviour that the service does not document;
[Facts and assumptions](facts-and-assumptions.md) explains these choices.

This page is generated: \`npm run docs -- conformance\`. It can only be generated if all of these tests pass.
`

/**
 * @param {readonly Result[]} results
 * @param {string} specification the text of docs/specification.md
 * @returns {{ text: string, problems: string[] }}
 */
export function conformancePage(results, specification) {
  const { statements, headings } = statementsOf(specification)
  const own = ownRows(results.filter(isOwn))
  const rows = [...documentedRows(results, statements), ...own]
  const sections = headings.flatMap((heading) => {
    const listed = rows.filter((row) => row.heading === heading)
    return listed.length === 0 ? [] : [`## ${heading}\n\n${tableOf(listed)}`]
  })
  const count = `${rows.length} statements: ${rows.length - own.length} documented, ${own.length} our choice.`
  return {
    text: [INTRODUCTION, count, ...sections].join('\n\n'),
    problems: [
      ...results.flatMap((result) => problemsOf(result, statements, headings)),
      ...[...statements.values()]
        .filter(({ anchor }) => !results.some(({ meta }) => meta.holds?.includes(anchor)))
        .map(({ anchor }) => `${PAGE}#${anchor}: no test holds it`),
      ...repeated(own).map((text) => `"${text}": two groups of tests have this title`),
    ],
  }
}

/** @param {Result} result */
function isOwn({ title }) {
  return title.startsWith(OWN)
}

/**
 * Whatever keeps a test from being a row.
 *
 * @param {Result} result
 * @param {ReadonlyMap<string, Statement>} statements
 * @param {readonly string[]} headings
 * @returns {string[]}
 */
function problemsOf(result, statements, headings) {
  const { title, status, ancestorTitles, meta } = result
  const holds = meta.holds ?? []
  const problems = holds.flatMap((anchor) => {
    const statement = statements.get(anchor)
    if (statement === undefined) return [`docs/${PAGE} has no <a id="${anchor}">`]
    return statement.isOwn ? [`docs/${PAGE}#${anchor} is not documented`] : []
  })
  if (isOwn(result) && holds.length > 0) problems.push('it is our choice, and holds a documented statement')
  if (!isOwn(result) && holds.length === 0)
    problems.push(`name the statement that it holds, holds('...'), or begin its title with "${OWN}"`)
  if (isOwn(result) && !headings.includes(ancestorTitles[0] ?? ''))
    problems.push(`docs/${PAGE} has no heading "${ancestorTitles[0] ?? ''}"`)
  if (/\bundefined\b/.test(title)) problems.push('its title has a value that is undefined')
  if (status !== 'passed') problems.push(`it ${status}`)
  return problems.map((problem) => `"${title}": ${problem}`)
}

/**
 * The statements of the page that have an `<a id>`, and its headings.
 *
 * @param {string} markdown
 * @returns {{ statements: Map<string, Statement>, headings: string[] }}
 */
export function statementsOf(markdown) {
  /** @type {Map<string, Statement>} */
  const statements = new Map()
  /** @type {string[]} */
  const headings = []
  // A block is a heading, a paragraph, an item of a list or a row of a table.
  for (const block of withoutFences(markdown).split(/\n(?=\n|#|\||- |\d+\. )/)) {
    const [, title] = /^\s*#+ +(.*)$/m.exec(block) ?? []
    if (title !== undefined) headings.push(title)
    for (const [, anchor = '', after = ''] of block.matchAll(/<a id="([^"]+)"><\/a>((?:(?!<a id=)[^])*)/g)) {
      const heading = headings.at(-1) ?? ''
      statements.set(anchor, { anchor, heading, ...statementIn(after, block.trim().startsWith('|')) })
    }
  }
  return { statements, headings }
}

/**
 * The first sentence of a text, or the cells of a row of a table, of which the last names the source.
 *
 * @param {string} text
 * @param {boolean} isRow
 */
function statementIn(text, isRow) {
  const line = plainText(text.replaceAll(/\s+/g, ' ').trim())
  if (!isRow) {
    const [sentence = line] = /^.*?(?=[.;:](?: [^a-z]|$))/.exec(line) ?? []
    return { text: sentence, isOwn: false }
  }
  const cells = line.split('|').flatMap((cell) => (cell.trim() === '' ? [] : [cell.trim()]))
  const source = cells.pop() ?? ''
  return { text: cells.join(': '), isOwn: !source.startsWith('documented') }
}

/**
 * @param {readonly Result[]} results
 * @param {ReadonlyMap<string, Statement>} statements
 * @returns {Row[]}
 */
function documentedRows(results, statements) {
  return [...statements.values()].flatMap(({ anchor, heading, text }) => {
    const tests = results.filter(({ meta }) => meta.holds?.includes(anchor)).length
    return tests === 0 ? [] : [{ heading, text, anchor, tests }]
  })
}

/**
 * A row for each test or table of tests.
 *
 * @param {readonly Result[]} results
 * @returns {Row[]}
 */
function ownRows(results) {
  /** @type {Map<string, Result[]>} */
  const groups = new Map()
  for (const result of results) {
    const place = `${result.file}:${result.location.line}:${result.ancestorTitles.join(': ')}`
    groups.set(place, [...(groups.get(place) ?? []), result])
  }
  return [...groups.values()].map((group) => {
    const titles = group.map(({ title }) => title.slice(OWN.length))
    return { heading: group[0]?.ancestorTitles[0] ?? '', text: commonTitle(titles), tests: group.length }
  })
}

/**
 * The statement of a table of tests, whose titles are `<statement>: <case>`.
 *
 * @param {readonly string[]} titles
 */
function commonTitle(titles) {
  const [first = '', ...others] = titles
  if (others.length === 0) return first
  const [statement = ''] = first.split(/: /)
  if (!titles.every((title) => title.startsWith(`${statement}: `)))
    throw new Error(`"${first}": the titles of a table of tests must be "<statement>: <case>"`)
  return statement
}

/**
 * The texts that several rows of a heading have.
 *
 * @param {readonly Row[]} rows
 */
function repeated(rows) {
  const keys = rows.map(({ heading, text }) => `${heading}: ${text}`)
  return keys.filter((key, index) => keys.indexOf(key) !== index)
}

/** @param {readonly Row[]} rows */
function tableOf(rows) {
  const lines = rows.map(({ text, anchor, tests }) =>
    anchor === undefined
      ? `| ${cell(text)} | our choice | ${tests} |`
      : `| [${text}](${PAGE}#${anchor}) | documented | ${tests} |`,
  )
  return ['| statement | known from | tests |', '| --- | --- | --: |', ...lines].join('\n')
}

/** @param {string} title */
function cell(title) {
  return title.replace(/[|*_<[]/g, '\\$&')
}
