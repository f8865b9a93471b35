import { findingsOf, summaryOf, type AuditReport, type Finding } from './report.js'

/** The page of a job has other things to show, and the other reports have the rest. */
const MAX_ROWS = 10
const MAX_NAMES = 3

/** The verdict, and what to fix, as Markdown for the page of a job in continuous integration. */
export function formatMarkdown(report: AuditReport): string {
  const { problem } = report
  const findings = findingsOf(report)
  const left = findings.slice(MAX_ROWS).flatMap(({ cases }) => cases).length
  const paragraphs = [
    `### Webhook audit: ${escape(summaryOf(report))}`,
    ...(problem === null ? [] : [escape(problem)]),
    ...(findings.length === 0 ? [] : [table(findings.slice(0, MAX_ROWS))]),
    ...(left === 0 ? [] : [`${left} other cases failed.`]),
  ]
  return `${paragraphs.join('\n\n')}\n`
}

function table(findings: readonly Finding[]): string {
  const rows = findings.map(({ cases, fix }) => [namesOf(cases), cases[0]!.cost, fix])
  return [['Failed', 'What it costs', 'Fix'], ['---', '---', '---'], ...rows.map((row) => row.map(escape))]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n')
}

function namesOf(cases: Finding['cases']): string {
  const names = cases.slice(0, MAX_NAMES).map(({ name }) => name)
  const left = cases.length - names.length
  return names.join(', ') + (left === 0 ? '' : ` and ${left} more`)
}

/** As Markdown, the text shows as it is. */
function escape(text: string): string {
  return text.replace(/[\\`*_[\]<>&|]/g, String.raw`\$&`)
}
