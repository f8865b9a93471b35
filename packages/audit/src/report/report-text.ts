import { wrapped } from '@service-signature/deliveries'
import { styleText } from 'node:util'
import type { CaseResult } from '../cases/audit-case.js'
import { GROUPS } from '../cases/groups.js'
import { findingsOf, HEADINGS, NOT_AUDITED, summaryOf, type AuditReport, type Finding } from './report.js'

export interface TextOptions {
  /** With the colors of a terminal. Default: false. */
  readonly color?: boolean
  /** Sentences are wrapped here. Default: 80. */
  readonly width?: number
}

type Color = 'green' | 'red' | 'yellow'

/** The report for a terminal. */
export function formatText(report: AuditReport, { color = false, width = 80 }: TextOptions = {}): string {
  const paint = (name: Color, text: string) =>
    color ? styleText(name, text, { validateStream: false }) : text
  const { url, versions, state, problem, cases, notes, passed, failed } = report
  const isGood = state === 'done' && failed === 0
  const notRun = cases.filter(({ outcome }) => outcome === 'not-run')
  const remarks = [...notes, ...(state === 'done' ? [NOT_AUDITED] : [])]
  const paragraphs = [
    `Audit of ${url} (${versions.join(', ')})`,
    ...(problem === null ? [] : [paint('red', inLines(problem, width))]),
    ...GROUPS.flatMap((group) => table(group, cases, paint)),
    ...findingsOf(report).map((finding, index, all) => {
      const isFirst = finding.weakness !== all[index - 1]?.weakness
      const heading = isFirst ? `${paint('red', `${HEADINGS[finding.weakness]}:`)}\n\n` : ''
      return heading + inWords(finding, width)
    }),
    // If it did not even begin, the last line says enough.
    ...(passed === 0 || notRun.length === 0 ? [] : [inLines(`Not run: ${countsByGroup(notRun)}.`, width)]),
    ...remarks.map((remark) => inLines(remark, width)),
    paint(isGood ? 'green' : 'red', `${summaryOf(report)}.`),
  ]
  return `${paragraphs.join('\n\n')}\n`
}

/** The cases of a group that were run, a line for each. */
function table(group: string, cases: readonly CaseResult[], paint: (name: Color, text: string) => string) {
  const run = cases.filter((each) => each.group === group && each.outcome !== 'not-run')
  if (run.length === 0) return []
  const lines = run.map(({ weakness, name, title, got }) => {
    const start = `${name.padEnd(24)} ${title.padEnd(37)}`
    return weakness === null
      ? `  ok       ${start} ${got}`
      : `  ${paint('red', weakness.padEnd(8))} ${start} ${got}`
  })
  return [[group, ...lines].join('\n')]
}

function inWords({ cases, fix }: Finding, width: number): string {
  const costs = [...new Set(cases.map(({ cost }) => cost))]
  const lines = costs.flatMap((cost) => [
    ...cases
      .filter((each) => each.cost === cost)
      .map(({ name, got, expected }) => inLines(`- ${name}: got ${got}; expected ${expected}`, width)),
    inLines(cost, width, '  '),
  ])
  return [...lines, inLines(`Fix: ${fix}`, width, '  ')].join('\n')
}

function countsByGroup(cases: readonly CaseResult[]): string {
  const counts = GROUPS.map((group) => ({
    group,
    count: cases.filter((each) => each.group === group).length,
  }))
  return counts
    .filter(({ count }) => count > 0)
    .map(({ group, count }) => `${count} of ${group}`)
    .join(', ')
}

function inLines(text: string, width: number, indent = ''): string {
  return wrapped(text, width - indent.length)
    .map((line) => indent + line)
    .join('\n')
}
