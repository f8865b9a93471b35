import type { CaseResult } from '../cases/audit-case.js'
import { GROUPS } from '../cases/groups.js'
import type { AuditReport } from './report.js'

/** The report as JUnit XML, which continuous integration shows: a suite for each group. */
export function formatJunit({ url, cases, problem }: AuditReport): string {
  const suites = GROUPS.flatMap((group) =>
    suite(
      group,
      cases.filter((each) => each.group === group),
    ),
  )
  const errors = problem === null ? 0 : 1
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name=${quote(`service-signature audit ${url}`)}${counts(cases, errors)}>`,
    ...(problem === null ? [] : completion(problem)),
    ...suites,
    '</testsuites>',
    '',
  ].join('\n')
}

/** Without it, an audit that ended early would look like one without failures. */
function completion(problem: string): readonly string[] {
  return [
    `  <testsuite name="audit"${counts([], 1)}>`,
    '    <testcase classname="audit" name="reaches its end">',
    `      <error message=${quote(problem)}/>`,
    '    </testcase>',
    '  </testsuite>',
  ]
}

function suite(name: string, results: readonly CaseResult[]): readonly string[] {
  if (results.length === 0) return []
  return [
    `  <testsuite name=${quote(name)}${counts(results, 0)}>`,
    ...results.flatMap(testcase),
    '  </testsuite>',
  ]
}

function testcase({ name, group, title, outcome, expected, got, weakness, cost, fix }: CaseResult) {
  const start = `    <testcase classname=${quote(group)} name=${quote(name)}`
  if (outcome === 'not-run') return [`${start}>`, '      <skipped/>', '    </testcase>']
  if (weakness === null) return [`${start}/>`]
  const message = `got ${got}; expected ${expected}`
  const text = `Sent: ${title}. ${cost} Fix: ${fix}`
  return [
    `${start}>`,
    `      <failure type=${quote(weakness)} message=${quote(message)}>${escape(text)}</failure>`,
    '    </testcase>',
  ]
}

function counts(results: readonly CaseResult[], errors: number): string {
  const count = (wanted: CaseResult['outcome']) => results.filter(({ outcome }) => outcome === wanted).length
  const tests = results.length + errors
  return ` tests="${tests}" failures="${count('failed')}" errors="${errors}" skipped="${count('not-run')}"`
}

function quote(text: string): string {
  return `"${escape(text)}"`
}

function escape(text: string): string {
  return text.replace(/[&<>"]/g, (character) => ENTITIES[character as keyof typeof ENTITIES])
}

const ENTITIES = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' } as const
