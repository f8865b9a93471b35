import { asciiJson } from '../../canonical-json/tokens.js'
import type { Piece } from './pieces.js'

/** How strings and numbers are printed; as they stand, where nothing is said. */
export interface Spelling {
  /** Clauses that say what differs from how they stand in the body. */
  readonly says: readonly string[]
  readonly string?: (token: Piece) => string
  readonly number?: (token: Piece) => string
}

export const asItStands: Spelling = { says: [] }

export function spell(spelling: Spelling, piece: Piece): string {
  if (piece.kind === 'string' && spelling.string !== undefined) return spelling.string(piece)
  if (piece.kind === 'number' && spelling.number !== undefined) return spelling.number(piece)
  return piece.text
}

/** Strings in one spelling and numbers in another. */
export function both(strings: Spelling, numbers: Spelling): Spelling {
  return { ...strings, ...numbers, says: [...strings.says, ...numbers.says] }
}

const decoder = new TextDecoder()

/** As printers spell strings, the likeliest sender first. Those that would change nothing are left out. */
export function stringSpellings(pieces: readonly Piece[]): readonly Spelling[] {
  const isIn = (pattern: RegExp) => pieces.some(({ kind, text }) => kind === 'string' && pattern.test(text))
  const isRaw = isIn(/[\x7f-\uffff]/)
  const isEscaped = isIn(/\\u/)
  const hasSlash = isIn(/\//)
  const isSlashEscaped = isIn(/\\\//)
  return [
    ...(isRaw ? [strings('letters beyond ASCII as \\u escapes', ascii)] : []),
    ...(isEscaped ? [strings('letters beyond ASCII as they are, without \\u escapes', raw)] : []),
    ...(isSlashEscaped ? [strings('/ without a backslash', raw)] : []),
    ...(hasSlash ? [strings('\\/ for a slash', (token) => slashes(raw(token)))] : []),
    ...(hasSlash && isRaw
      ? [strings('\\/ for a slash and \\u escapes, as PHP does', (token) => slashes(ascii(token)))]
      : []),
  ]
}

function strings(says: string, respell: (token: string) => string): Spelling {
  // Keys, and many values, stand there more than once.
  const known = new Map<string, string>()
  return {
    says: [says],
    string({ text }) {
      const spelled = known.get(text) ?? respell(text)
      known.set(text, spelled)
      return spelled
    },
  }
}

function ascii(token: string): string {
  return isPlain(token) ? token : decoder.decode(asciiJson(raw(token)))
}

function raw(token: string): string {
  return isPlain(token) ? token : JSON.stringify(JSON.parse(token))
}

/** Nobody would spell it otherwise. */
function isPlain(token: string): boolean {
  return /^[\x20-\x5b\x5d-\x7e]*$/.test(token)
}

function slashes(token: string): string {
  return token.replaceAll('/', '\\/')
}
