import type { CaseResult } from '../judge.js'
import type { Report } from './report.js'

/** The report as JUnit XML, as continuous integration shows it: a suite for each group. */
export function toJunit({ target, results }: Report): string {
  const groups = [...new Set(results.map(({ group }) => group))]
  const suites = groups.map((name) =>
    suite(
      name,
      results.filter(({ group }) => group === name),
    ),
  )
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name=${quote(`service-signature audit ${target}`)}${counts(results)}>`,
    ...suites.flat(),
    '</testsuites>',
    '',
  ].join('\n')
}

function suite(name: string, results: readonly CaseResult[]): readonly string[] {
  return [
    `  <testsuite name=${quote(name)}${counts(results)}>`,
    ...results.flatMap(testcase),
    '  </testsuite>',
  ]
}

function testcase({ name, group, sent, expected, got, weakness, risk }: CaseResult): readonly string[] {
  const start = `    <testcase classname=${quote(group)} name=${quote(name)}`
  if (weakness === undefined) return [`${start}/>`]
  const message = `expected ${expected}, got ${got}`
  return [
    `${start}>`,
    `      <failure type=${quote(weakness)} message=${quote(message)}>${escape(`${risk} Sent: ${sent}.`)}</failure>`,
    '    </testcase>',
  ]
}

function counts(results: readonly CaseResult[]): string {
  const failures = results.filter(({ weakness }) => weakness !== undefined).length
  return ` tests="${results.length}" failures="${failures}"`
}

function quote(text: string): string {
  return `"${escape(text)}"`
}

function escape(text: string): string {
  return text.replace(/[&<>"]/g, (character) => ENTITIES[character as keyof typeof ENTITIES])
}

const ENTITIES = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' } as const
