import type { CaseResult } from '../cases/audit-case.js'
import { GROUPS, GROUP_TITLES, type Group } from '../cases/groups.js'
import { findingsOf, HEADINGS, NOT_AUDITED, summaryOf, type AuditReport, type Finding } from './report.js'

/** The report as one HTML file without scripts, fonts or pictures from elsewhere, to be sent to a colleague. */
export function formatHtml(report: AuditReport): string {
  const { url, versions, started, state, problem, failed, notes } = report
  const isGood = state === 'done' && failed === 0
  const remarks = [...notes, ...(state === 'done' ? [NOT_AUDITED] : [])]
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Audit of ${escape(url)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>Audit of a webhook endpoint</h1>
<dl>
<div><dt>Endpoint</dt><dd><code>${escape(url)}</code></dd></div>
<div><dt>Versions</dt><dd>${versions.join(', ')}</dd></div>
<div><dt>Time</dt><dd><time datetime="${started}">${timeInWords(started)}</time></dd></div>
</dl>
<p class="summary ${isGood ? 'good' : 'bad'}">${escape(summaryOf(report))}</p>
${problem === null ? '' : `<p class="problem">${escape(problem)}</p>`}
${whatToFix(findingsOf(report))}
<h2>All cases</h2>
${GROUPS.map((group) => groupTable(group, report.cases)).join('\n')}
${notesList(remarks)}
</main>
</body>
</html>
`
}

function whatToFix(findings: readonly Finding[]): string {
  if (findings.length === 0) return ''
  const boxes = findings.map((finding, index) => findingBox(finding, findings[index - 1]))
  return `<h2>What to fix</h2>\n${boxes.join('\n')}`
}

function notesList(notes: readonly string[]): string {
  if (notes.length === 0) return ''
  const items = notes.map((note) => `<li>${escape(note)}</li>`)
  return `<h2>Notes</h2>\n<ul>${items.join('')}</ul>`
}

/** Adds a heading above the first of each kind. */
function findingBox({ weakness, fix, cases }: Finding, before: Finding | undefined): string {
  const costs = [...new Set(cases.map(({ cost }) => cost))]
  const items = cases.map(
    ({ name, title, got, expected }) =>
      `<li><strong>${escape(name)}</strong> (${escape(title)}): got ${escape(got)}; expected ${escape(expected)}</li>`,
  )
  const heading = weakness === before?.weakness ? '' : `<h3>${HEADINGS[weakness]}</h3>\n`
  return `${heading}<div class="finding">
<ul>${items.join('')}</ul>
${costs.map((cost) => `<p>${escape(cost)}</p>`).join('\n')}
<p><strong>Fix:</strong> ${escape(fix)}</p>
</div>`
}

const COLUMNS = ['Result', 'Case', 'Sent', 'Expected', 'Got']

function groupTable(group: Group, all: readonly CaseResult[]): string {
  const cases = all.filter((each) => each.group === group)
  if (cases.length === 0) return ''
  return `<table>
<caption>${group}: ${GROUP_TITLES[group]}</caption>
<thead><tr>${COLUMNS.map((name) => `<th scope="col">${name}</th>`).join('')}</tr></thead>
<tbody>
${cases.map(row).join('\n')}
</tbody>
</table>`
}

const OUTCOMES = { passed: 'passed', failed: 'failed', 'not-run': 'not run' } as const

function row({ outcome, name, title, expected, got }: CaseResult): string {
  const cells = [title, expected, got].map((text) => `<td>${escape(text)}</td>`).join('')
  return `<tr class="${outcome}"><td>${OUTCOMES[outcome]}</td><th scope="row">${escape(name)}</th>${cells}</tr>`
}

/** `2025-03-27T15:41:20.371Z` as people write it. */
function timeInWords(iso: string): string {
  return `${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`
}

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

// Contrast is at least 4.5:1 in both schemes.
const STYLE = `
:root { color-scheme: light dark; --text: #1a1f29; --dim: #545d6e; --page: #fff; --box: #f4f5f8; --line: #d5d9e2;
  --good: #0b6b3a; --bad: #b3131f; }
@media (prefers-color-scheme: dark) { :root { --text: #e6e9f0; --dim: #a3adbf; --page: #12151c; --box: #1b202b;
  --line: #343c4c; --good: #5fd394; --bad: #ff8d8d; } }
* { box-sizing: border-box; }
body { margin: 0; padding: 2rem 1rem; background: var(--page); color: var(--text); font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 62rem; margin: 0 auto; }
h1 { font-size: 1.6rem; margin: 0 0 1rem; }
h2 { font-size: 1.25rem; margin: 2.5rem 0 1rem; }
h3 { font-size: 1rem; margin: 1.5rem 0 0; }
dl { display: flex; flex-wrap: wrap; gap: .5rem 2rem; margin: 0; }
dt { color: var(--dim); font-size: .85rem; }
dd { margin: 0; overflow-wrap: anywhere; }
.summary { font-size: 1.25rem; font-weight: 600; margin: 1.5rem 0 0; }
.summary.good { color: var(--good); }
.summary.bad { color: var(--bad); }
.problem, .finding { background: var(--box); border-left: 4px solid var(--bad); padding: 1rem; margin: 1rem 0; }
.finding p { margin: .5rem 0 0; }
.finding ul { margin: 0; padding-left: 1.25rem; }
table { width: 100%; border-collapse: collapse; margin: 0 0 1.5rem; font-size: .9rem; display: table; }
caption { text-align: left; font-weight: 600; padding: .5rem 0; }
th, td { text-align: left; vertical-align: top; padding: .35rem .75rem .35rem 0; border-top: 1px solid var(--line);
  overflow-wrap: anywhere; }
thead th { color: var(--dim); font-weight: 500; }
tbody th { font-weight: 500; width: 15rem; }
td:first-child { width: 5rem; }
tr.passed td:first-child { color: var(--good); }
tr.failed td:first-child { color: var(--bad); font-weight: 600; }
tr.not-run td, tr.not-run th { color: var(--dim); }
@media (max-width: 40rem) { table, tbody, tr, th, td { display: block; width: auto; } thead { display: none; }
  tr { border-top: 1px solid var(--line); padding: .5rem 0; } th, td { border: 0; padding: 0; } }
@media print { body { padding: 0; } .finding, tr { break-inside: avoid; } }
`
