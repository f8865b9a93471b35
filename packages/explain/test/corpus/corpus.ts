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

/** The sentence of docs/explain.md about how many first lines are right. */
export function resultSentence(judged: readonly (Case & Judgment)[]): string {
  const count = (list: readonly Judgment[]) => {
    return `${list.filter(({ isRight }) => isRight).length} of ${list.length}`
  }
  const recorded = count(judged.filter(({ isInvented }) => !isInvented))
  const invented = count(judged.filter(({ isInvented }) => isInvented))
  return `The first line was right for ${recorded} deliveries that real tools and mistakes changed, and for ${invented} invented faults.`
}

/** The names in the lists of docs/explain.md: what is confirmed, and what is asked. */
export function causeLists(): { readonly confirmed: readonly string[]; readonly asked: readonly string[] } {
  return { confirmed: NAMES, asked: [...new Set(QUESTIONS.map(({ name }) => name))] }
}
