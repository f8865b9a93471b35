import type { Piece } from './pieces.js'
import { spell, type Spelling } from './spelling.js'

/** What stands between the tokens. */
export interface Layout {
  /** Completes "printed ...". */
  readonly says: string
  readonly comma: string
  readonly colon: string
  /** What each level is indented by; missing where all stands on one line. */
  readonly indent?: string
}

export const SPACED: Layout = {
  says: 'with ", " and ": " between its tokens, as Python does',
  comma: ', ',
  colon: ': ',
}

export const COMPACT: Layout = { says: 'compact, as JSON.stringify does', comma: ',', colon: ':' }

/** As printers lay JSON out, the likeliest sender first. */
export const LAYOUTS: readonly Layout[] = [
  SPACED,
  COMPACT,
  { says: 'indented by two spaces', comma: ',', colon: ': ', indent: '  ' },
  { says: 'indented by four spaces', comma: ',', colon: ': ', indent: '    ' },
  { says: 'indented by tabs', comma: ',', colon: ': ', indent: '\t' },
]

/** The text of tokens, or nothing where indenting would make it longer than `limit`. */
export function print(
  tokens: readonly Piece[],
  { comma, colon, indent }: Layout,
  spelling: Spelling,
  limit: number,
): string | undefined {
  const newLine = (level: number) => (indent === undefined ? '' : `\n${indent.repeat(level)}`)
  let text = ''
  let level = 0
  let before = ''
  for (const token of tokens) {
    const mark = token.kind === 'mark' ? token.text : ''
    if (mark === '}' || mark === ']') {
      level--
      if (before !== '{' && before !== '[') text += newLine(level)
    } else if (before === '{' || before === '[') {
      text += newLine(level)
    }
    if (mark === ',') text += comma + newLine(level)
    else text += mark === ':' ? colon : spell(spelling, token)
    if (mark === '{' || mark === '[') level++
    if (text.length > limit) return undefined
    before = mark
  }
  return text
}
