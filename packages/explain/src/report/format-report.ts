import { wrapped } from '@service-signature/deliveries'
import type { ExplainCheck, ExplainReport, Hypothesis, Question } from './explain-report.js'

/** How a report is printed. */
export interface FormatOptions {
  /** With colors, for a terminal. Default: false. */
  readonly color?: boolean
  /** With the faults that were not tried. Default: false. */
  readonly verbose?: boolean
}

const WIDTH = 100

/**
 * A report for people. The first line is the finding, and the fix follows; the text ends with a line break.
 *
 * @example
 * process.stderr.write(formatReport(report, { color: process.stderr.isTTY }))
 */
export function formatReport(
  report: ExplainReport,
  { color = false, verbose = false }: FormatOptions = {},
): string {
  const paint = color ? painted : plain
  const { finding, checks, hypotheses, questions, ruledOut, notTried, hmacs, limitReached } = report
  const [fix] = [...hypotheses, ...questions].map((cause) => cause.fix)
  const lines = [
    paint(report.ok ? 'green' : 'red', finding),
    ...(fix === undefined ? [] : wrapped(`Fix: ${fix}`, WIDTH)),
    '',
    'Checks',
    ...checks.map((check) => checkLine(check, paint)),
    ...hypotheses.flatMap((hypothesis, index) => ['', ...hypothesisLines(hypothesis, index === 0, paint)]),
    ...questions.slice(1).flatMap((question) => ['', ...questionLines(question, paint)]),
    ...names('Ruled out', ruledOut, paint),
    ...names('Not tried', verbose ? notTried : [], paint),
    ...(limitReached === undefined
      ? []
      : ['', ...wrapped(limitReached, WIDTH).map((line) => paint('yellow', line))]),
    '',
    paint('dim', `${hmacs} ${hmacs === 1 ? 'HMAC was' : 'HMACs were'} computed.`),
  ]
  return `${lines.join('\n')}\n`
}

type Color = keyof typeof CODES
type Paint = (color: Color, text: string) => string

const CODES = { red: 31, green: 32, yellow: 33, dim: 2, bold: 1 } as const

const painted: Paint = (color, text) => `\u001b[${CODES[color]}m${text}\u001b[0m`
const plain: Paint = (_, text) => text

const OUTCOMES = { passed: 'green', failed: 'red', skipped: 'yellow' } as const

function checkLine({ name, outcome, detail }: ExplainCheck, paint: Paint): string {
  return `  ${paint(OUTCOMES[outcome], outcome.padEnd(7))}  ${name.padEnd(16)}  ${detail}`
}

function hypothesisLines(hypothesis: Hypothesis, isFirst: boolean, paint: Paint): readonly string[] {
  const { names, happened, where, fix, versions } = hypothesis
  return [
    paint('bold', `${names.join(' and ')} (proven with ${versions.join(', ')})`),
    ...indented('What', happened),
    ...indented('Where', where),
    // The fix of the first cause is the second line of the report already.
    ...(isFirst ? [] : indented('Fix', fix)),
  ]
}

function questionLines({ asks, evidence, fix }: Question, paint: Paint): readonly string[] {
  return [paint('bold', `Or: ${asks}`), ...indented('Why', evidence), ...indented('Fix', fix)]
}

function names(title: string, list: readonly string[], paint: Paint): readonly string[] {
  if (list.length === 0) return []
  return ['', title, ...wrapped(list.join(', '), WIDTH - 2).map((line) => paint('dim', `  ${line}`))]
}

function indented(title: string, text: string): readonly string[] {
  return wrapped(text, WIDTH - 9).map((line, index) => `  ${(index === 0 ? title : '').padEnd(5)}  ${line}`)
}
