import type { Io } from '../../io.js'
import { paint } from '../../output.js'
import { WEAKNESSES, type Weakness } from '../expectation.js'
import type { CaseResult } from '../judge.js'
import { scoreOf } from '../score.js'
import { clockNote, notesOn, type Report } from './report.js'
import { table } from './table.js'

const HEADINGS: Readonly<Record<Weakness, string>> = {
  accepts: 'It accepts what it must refuse:',
  loses: 'It loses what is genuine:',
  tells: 'Its answers tell too much:',
  breaks: 'It neither accepts nor refuses:',
}

const UNSEEN =
  'No answer shows whether a delivery that comes twice is handled once, nor whether digests are compared in constant time.'

/** The report for people. */
export function toText(report: Report, io: Io): string {
  const { target, results } = report
  const { passed, total, percent } = scoreOf(results)
  const paragraphs = [
    ...warning(report, io),
    `Audit of ${target}\n${table(results, io)}`,
    ...weaknesses(results, io),
    [...notesOn(report), UNSEEN].join('\n'),
    paint(io, passed === total ? 'green' : 'red', `Score: ${passed}/${total} (${percent} %)`),
  ]
  return paragraphs.join('\n\n')
}

/** Said first, for it puts all that follows in doubt. */
function warning(report: Report, io: Io): readonly string[] {
  const { weakness, got } = report.first
  if (weakness === undefined) return []
  const why = clockNote(report) ?? 'Is this the right address, and the right secret?'
  const doubt = 'As long as it does, it proves little that it refuses others.'
  return [paint(io, 'red', `The endpoint refuses genuine deliveries (${got}). ${why} ${doubt}`)]
}

/** The worst first: a paragraph for each kind. */
function weaknesses(results: readonly CaseResult[], io: Io): readonly string[] {
  return WEAKNESSES.flatMap((kind) => {
    const ofKind = results.filter(({ weakness }) => weakness === kind)
    if (ofKind.length === 0) return []
    const lines = ofKind.map(
      ({ name, got, expected, risk }) => `- ${name} (got ${got}; sound is ${expected})\n  ${risk}`,
    )
    return [[paint(io, 'red', HEADINGS[kind]), ...lines].join('\n')]
  })
}
