// The text of docs/sandbox-conformance.md, from the results of the tests and the statements of docs/specification.md.
import { plainText, withoutFences } from './markdown-links.js'

/**
 * The result of a test, as Vitest reports it.
 *
 * @typedef {{
 *   file: string, ancestorTitles: string[], title: string, status: string,
 *   location: { line: number }, meta: { holds?: string[] },
 * }} Result
 * @typedef {{ heading: string, text: string, isOwn: boolean }} Statement
 * @typedef {{ heading: string, line: string }} Row
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
  const documented = [...statements].flatMap(([anchor, { heading, text }]) => {
    const tests = results.filter(({ meta }) => meta.holds?.includes(anchor)).length
    return tests === 0 ? [] : [{ heading, line: `| [${text}](${PAGE}#${anchor}) | documented | ${tests} |` }]
  })
  const own = ownRows(results.filter(isOwn))
  const sections = headings.flatMap((heading) => {
    const lines = [...documented, ...own].flatMap((row) => (row.heading === heading ? [row.line] : []))
    const table = ['| statement | known from | tests |', '| --- | --- | --: |', ...lines].join('\n')
    return lines.length === 0 ? [] : [`## ${heading}\n\n${table}`]
  })
  const [known, chosen] = [documented.length, own.length]
  const count = `${known + chosen} statements: ${known} documented, ${chosen} our choice.`
  const held = results.flatMap(({ meta }) => meta.holds ?? [])
  return {
    text: [INTRODUCTION, count, ...sections].join('\n\n'),
    problems: [
      ...results.flatMap((result) =>
        problemsOf(result, statements, headings).map((problem) => `"${result.title}": ${problem}`),
      ),
      ...[...statements.keys()]
        .filter((anchor) => !held.includes(anchor))
        .map((anchor) => `${PAGE}#${anchor}: no test holds it`),
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
 */
function problemsOf(result, statements, headings) {
  const { status, ancestorTitles, meta } = result
  const [heading = ''] = ancestorTitles
  const holds = meta.holds ?? []
  const problems = holds
    .filter((anchor) => statements.get(anchor)?.isOwn !== false)
    .map((anchor) => `docs/${PAGE} has no documented statement <a id="${anchor}">`)
  if (isOwn(result) === holds.length > 0)
    problems.push(`either name the statement that it holds, holds('...'), or begin its title with "${OWN}"`)
  if (isOwn(result) && !headings.includes(heading)) problems.push(`docs/${PAGE} has no heading "${heading}"`)
  if (status !== 'passed') problems.push(`it ${status}`)
  return problems
}

/**
 * The statements of the page, by their `<a id>`, and its headings.
 *
 * @param {string} markdown
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
      const line = plainText(after.replaceAll(/\s+/g, ' ').trim())
      const statement = block.trim().startsWith('|') ? rowIn(line) : { text: sentenceIn(line), isOwn: false }
      statements.set(anchor, { heading: headings.at(-1) ?? '', ...statement })
    }
  }
  return { statements, headings }
}

/** @param {string} line */
function sentenceIn(line) {
  return /^.*?(?=[.;:](?: [^a-z]|$))/.exec(line)?.[0] ?? line
}

/** @param {string} line the cells of a row of a table, of which the last names the source */
function rowIn(line) {
  const cells = line.split('|').flatMap((cell) => (cell.trim() === '' ? [] : [cell.trim()]))
  const source = cells.pop() ?? ''
  return { text: cells.join(': '), isOwn: !source.startsWith('documented') }
}

/**
 * A row for each test, or for each table of tests, whose titles are `<statement>: <case>`.
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
    const [title = ''] = group.map((result) => result.title.slice(OWN.length))
    const statement = group.length === 1 ? title : title.replace(/: .*/, '')
    const text = statement.replace(/[|*_<[]/g, '\\$&')
    return { heading: group[0]?.ancestorTitles[0] ?? '', line: `| ${text} | our choice | ${group.length} |` }
  })
}
