import { readdirSync, readFileSync } from 'node:fs'
import { NAMES } from '../../src/rules/rule-table.js'
import { QUESTIONS } from '../../src/report/questions.js'
import type { ExplainOptions, ExplainReport, Question } from '../../src/index.js'

/** A line of a recording: a delivery as a tool or a mistake changed it. See make/make.sh. */
interface Recording {
  readonly tool: string
  readonly kind: string
  readonly did: string
  /** The name of the delivery in sent.jsonl. Members that are missing below are as they were sent. */
  readonly sent: string
  /** The body in base64. */
  readonly body?: string
  readonly header?: string | null
  /** Null if only the API key was given. */
  readonly secret?: string | readonly string[] | null
  /** Another API key than the right one was given. */
  readonly giveApiKey?: string
  /** The right API key was given too. */
  readonly useApiKey?: boolean
  readonly versions?: ExplainOptions['versions']
  readonly now?: number
  /**
   * The names of the faults that must be found, joined by "+", or by "|" if either is right. A question ends with
   * "?".
   */
  readonly expect: string
  /** A pattern that the first line must contain, ignoring upper and lower case. */
  readonly says: string
  /** Faults that may be found in addition. */
  readonly may?: readonly string[]
}

interface Sent {
  readonly name: string
  readonly body: string
  readonly header: string
  readonly secret: string
  readonly apiKey: string
}

export interface Case extends Recording {
  readonly id: string
  /** Whether it was invented without sight of the rules. See make/invented.py. */
  readonly isInvented: boolean
  readonly bytes: Uint8Array
  readonly value: string | undefined
  readonly options: ExplainOptions
}

/** When the deliveries arrive: twelve seconds after they were signed. */
const NOW = 1743090092_000

/** @param folder with the recordings */
export function readCases(folder: URL): readonly Case[] {
  const sent = new Map(
    (linesOf(new URL('sent.jsonl', folder)) as readonly Sent[]).map((line) => [line.name, line]),
  )
  const files = readdirSync(folder).filter((file) => file.endsWith('.jsonl') && file !== 'sent.jsonl')
  return files.sort().flatMap((file) =>
    (linesOf(new URL(file, folder)) as readonly Recording[]).map((recording) => {
      const { secret, apiKey, ...original } = sent.get(recording.sent)!
      const given = recording.giveApiKey ?? (recording.useApiKey === true ? apiKey : undefined)
      return {
        ...recording,
        isInvented: file === 'invented.jsonl',
        id: `${file.replace('.jsonl', '')}, ${recording.kind}: ${recording.did} (${recording.sent})`,
        bytes: Buffer.from(recording.body ?? original.body, 'base64'),
        value: recording.header === undefined ? original.header : (recording.header ?? undefined),
        options: {
          now: recording.now ?? NOW,
          ...(recording.secret !== null && { secret: recording.secret ?? secret }),
          ...(given !== undefined && { apiKey: given }),
          ...(recording.versions !== undefined && { versions: recording.versions }),
        },
      }
    }),
  )
}

function linesOf(file: URL): readonly unknown[] {
  return readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown)
}

export interface Judgment {
  /** The first line names the cause, in the words that were expected. */
  readonly isRight: boolean
  /** Names that were claimed, and did not happen. */
  readonly wrongClaims: readonly string[]
}

export function judge(
  { expect, says, may = [] }: Case,
  { finding, hypotheses, questions }: ExplainReport,
): Judgment {
  const alternatives = expect.split('|').map((names) => names.split('+'))
  const allowed = new Set([...alternatives.flat(), ...may])
  const claimed = hypotheses.flatMap(({ names }) => names)
  const first = hypotheses[0]?.names ?? asked(questions)
  const isNamed = alternatives.some(
    (names) => first.length === names.length && names.every((name) => first.includes(name as never)),
  )
  return {
    isRight: isNamed && new RegExp(says, 'is').test(finding),
    wrongClaims: claimed.filter((name) => !allowed.has(name)),
  }
}

function asked(questions: readonly Question[]): readonly string[] {
  return questions.slice(0, 1).map(({ name }) => `${name}?`)
}

/** The part of the first lines that must be right: of the recordings, and of the invented faults. */
export const KEPT_RATES = { recorded: 0.98, invented: 0.92 } as const

export function rateOf(judged: readonly Judgment[]): number {
  return judged.filter(({ isRight }) => isRight).length / judged.length
}

/** The subject of each kind of recording, in the order of the table of results. */
const KINDS: readonly (readonly [kind: string, title: string, about: string])[] = [
  [
    'printed',
    'parsed and printed again',
    '`10.0` as `10`, `[]` as `{}`, nulls, escapes, sorted keys, layout; by Go, PHP, Lua ...',
  ],
  [
    'wrapped',
    'wrapped or encoded',
    'base64, JSON string, form, HTML, gzip, deflate, brotli, chunks, envelope, log',
  ],
  ['text', 'changed as text', 'white space at the ends, line breaks, charset, byte order mark, NFC and NFD'],
  ['cut', 'cut (asked)', 'at a buffer, a column, a limit or a letter of several bytes'],
  ['header', 'header', 'folded, joined, cut, quoted, percent-encoded, upper case, base64'],
  ['key', 'key', 'white space, quotes, base64, hex, escapes, exchanged; of another account (asked)'],
  ['time', 'time', 'clock, time zone, replay, milliseconds'],
  ['version', 'version', 'missing or exchanged'],
  ['other', 'another or forged body (asked)', 'changed amount, body of another event, forged header'],
]

type Row = readonly string[]

/** How many first lines are right, by kind. */
export function resultTable(judged: readonly (Case & Judgment)[]): string {
  const count = (list: readonly Judgment[]) =>
    `${list.filter(({ isRight }) => isRight).length} of ${list.length}`
  const recorded = judged.filter(({ isInvented }) => !isInvented)
  const invented = judged.filter(({ isInvented }) => isInvented)
  return table([
    ['what happened', 'right', 'for example'],
    ...KINDS.map(([kind, title, about]): Row => {
      return [title, count(recorded.filter((each) => each.kind === kind)), about]
    }),
    ['**all**', count(recorded), ''],
    [
      'invented without sight of the rules',
      count(invented),
      'proxies, queues, frameworks, editors, clocks, copied keys',
    ],
  ])
}

/** The sentence of docs/explain.md about the same. */
export function resultSentence(judged: readonly (Case & Judgment)[]): string {
  const count = (list: readonly Judgment[]) => {
    return `${list.filter(({ isRight }) => isRight).length} of ${list.length}`
  }
  const recorded = count(judged.filter(({ isInvented }) => !isInvented))
  const invented = count(judged.filter(({ isInvented }) => isInvented))
  return (
    `For ${recorded} deliveries that real tools and mistakes changed, the first line was right, and for ${invented} faults ` +
    'that were invented before anyone looked at the rules.'
  )
}

/** The names in the lists of docs/explain.md: what is confirmed, and what is asked. */
export function causeLists(): { readonly confirmed: readonly string[]; readonly asked: readonly string[] } {
  return { confirmed: NAMES, asked: [...new Set(QUESTIONS.map(({ name }) => name))] }
}

function table(lines: readonly Row[]): string {
  const widths = lines[0]!.map((_, column) => Math.max(...lines.map((line) => line[column]!.length)))
  const row = (line: Row) => `| ${line.map((cell, at) => cell.padEnd(widths[at]!)).join(' | ')} |`
  return [row(lines[0]!), row(widths.map((width) => '-'.repeat(width))), ...lines.slice(1).map(row)].join(
    '\n',
  )
}
