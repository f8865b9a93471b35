import type { ExplainCheck, ExplainReport, Hypothesis, Question } from '@service-signature/explain'
import { joinedWords } from '../words.js'
import { disclosure, make, type Child } from './dom.js'

/** What explain finds: the first line, the fix, and the details. */
export function findingsView(report: ExplainReport): HTMLElement {
  const { ok, finding, hypotheses, questions, checks, ruledOut, notTried, hmacs, limitReached } = report
  const [first, ...others] = [...hypotheses, ...questions]
  return make(
    'section',
    { 'aria-label': 'Explanation' },
    make('h2', {}, ok ? 'What was checked' : 'Why it does not verify'),
    make('p', { class: 'finding' }, finding),
    ...(first === undefined ? [] : causeView(first)),
    ...(limitReached === undefined ? [] : [make('p', { class: 'note' }, limitReached)]),
    ...(others.length === 0
      ? []
      : [
          disclosure(
            'others',
            false,
            `Other possible causes (${others.length})`,
            ...others.flatMap((cause) => [make('h3', {}, titleOf(cause)), ...causeView(cause)]),
          ),
        ]),
    disclosure(
      'checks',
      ok,
      'Checks of the verifier',
      make('ul', { class: 'checks' }, ...checks.map(checkView)),
    ),
    ...(ok || hmacs === 0 ? [] : [triedView(ruledOut, notTried, hmacs)]),
  )
}

function titleOf(cause: Hypothesis | Question): string {
  return 'asks' in cause ? cause.asks : `${cause.names.join(' and ')}: ${cause.happened}`
}

function causeView(cause: Hypothesis | Question): readonly Child[] {
  if ('asks' in cause) return [facts(['Evidence', cause.evidence], ['Fix', cause.fix])]
  return [
    facts(
      ['Fix', cause.fix],
      ['Where', cause.where],
      ...(cause.versions.length === 0 ? [] : [['Proven with', joinedWords(cause.versions)] as const]),
    ),
  ]
}

function facts(...list: readonly (readonly [string, string])[]): HTMLElement {
  return make(
    'dl',
    { class: 'facts' },
    ...list.map(([label, text]) => make('div', {}, make('dt', {}, label), make('dd', {}, text))),
  )
}

const TONES = { passed: 'good', failed: 'bad', skipped: 'plain' } as const

function checkView({ name, outcome, detail }: ExplainCheck): HTMLElement {
  return make(
    'li',
    {},
    make('span', { class: `badge ${TONES[outcome]}` }, outcome),
    make('strong', {}, name),
    make('span', { class: 'note' }, detail),
  )
}

function triedView(ruledOut: readonly string[], notTried: readonly string[], hmacs: number): HTMLElement {
  return disclosure(
    'tried',
    false,
    `What else was tried (${hmacs} HMACs)`,
    facts(
      ...(ruledOut.length === 0 ? [] : [['Ruled out', ruledOut.join(', ')] as const]),
      ...(notTried.length === 0 ? [] : [['Not tried', notTried.join(', ')] as const]),
    ),
  )
}
