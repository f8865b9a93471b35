import { wrapped } from '@service-signature/deliveries'
import type { ExplainReport } from './explain-report.js'

export interface FormatOptions {
  /** With colors, for a terminal. Default: false. */
  readonly color?: boolean
  /** With the faults that cannot have happened, and those that were not tried. Default: false. */
  readonly verbose?: boolean
  /** Lines are wrapped here. Default: 80. */
  readonly width?: number
}

const CODES = { red: 31, green: 32, yellow: 33, dim: 2, bold: 1 } as const
const OUTCOMES = { passed: 'green', failed: 'red', skipped: 'yellow' } as const

/**
 * A report for people. It begins with the finding and the fix, and ends with a line break.
 *
 * @example
 * process.stderr.write(formatReport(report, { color: process.stderr.isTTY, width: process.stderr.columns }))
 */
export function formatReport(
  report: ExplainReport,
  { color = false, verbose = false, width = 80 }: FormatOptions = {},
): string {
  const { finding, checks, hypotheses, questions, ruledOut, notTried, hmacs, limitReached } = report
  const [fix] = [...hypotheses, ...questions].map((cause) => cause.fix)

  function paint(name: keyof typeof CODES, text: string): string {
    return color ? `\u001b[${CODES[name]}m${text}\u001b[0m` : text
  }

  /** The text in lines, after a label that only the first line has. */
  function lines(text: string, label = ''): readonly string[] {
    return wrapped(text, width - label.length).map(
      (line, at) => (at > 0 ? ' '.repeat(label.length) : label) + line,
    )
  }

  function painted(name: keyof typeof CODES, text: string, label = ''): readonly string[] {
    return lines(text, label).map((line) => paint(name, line))
  }

  function list(title: string, names: readonly string[]): readonly string[] {
    return verbose && names.length > 0 ? ['', title, ...painted('dim', names.join(', '), '  ')] : []
  }

  const printed = [
    ...painted(report.ok ? 'green' : 'red', finding),
    ...(fix === undefined ? [] : lines(`Fix: ${fix}`)),
    '',
    'Checks',
    ...checks.flatMap(({ name, outcome, detail }) => {
      const [first = '', ...others] = lines(detail, `  ${outcome.padEnd(7)}  ${name.padEnd(16)}  `)
      return [first.replace(outcome, paint(OUTCOMES[outcome], outcome)), ...others]
    }),
    ...hypotheses.flatMap(({ names, happened, where, versions, ...cause }, index) => [
      '',
      ...painted('bold', `${names.join(' and ')} (proven with ${versions.join(', ')})`),
      ...lines(happened, '  What   '),
      ...lines(where, '  Where  '),
      // The report begins with the fix of the first cause.
      ...(index === 0 ? [] : lines(cause.fix, '  Fix    ')),
    ]),
    ...questions
      .slice(1)
      .flatMap(({ asks, evidence, ...question }) => [
        '',
        ...painted('bold', `Or: ${asks}`),
        ...lines(evidence, '  Why    '),
        ...lines(question.fix, '  Fix    '),
      ]),
    ...list('Ruled out', ruledOut),
    ...list('Not tried', notTried),
    ...(limitReached === undefined ? [] : ['', ...painted('yellow', limitReached)]),
    '',
    paint('dim', `${hmacs} ${hmacs === 1 ? 'HMAC was' : 'HMACs were'} computed.`),
  ]
  return `${printed.join('\n')}\n`
}
