/** A stretch of JSON text: a token, or the white space between two. */
export interface Piece {
  readonly kind: 'string' | 'number' | 'literal' | 'mark' | 'space'
  readonly text: string
  readonly start: number
  /** The key of the member that a number is in; a bare number has none. */
  readonly key: string
}

/** The pieces of a text that `JSON.parse` takes. Put together, they are the text. */
export function piecesOf(text: string): readonly Piece[] {
  const pieces: Piece[] = []
  let key = ''
  let lastString = ''
  for (let at = 0; at < text.length;) {
    const kind = kindOf(text.charCodeAt(at))
    const end = endOf(text, at, kind)
    const piece = { kind, text: text.slice(at, end), start: at, key }
    if (kind === 'string') lastString = piece.text
    else if (piece.text === ':') key = lastString
    pieces.push(piece)
    at = end
  }
  return pieces
}

function kindOf(code: number): Piece['kind'] {
  if (code === 0x22 /* " */) return 'string'
  if (code === 0x2d /* - */ || (code >= 0x30 && code <= 0x39)) return 'number'
  if (isSpace(code)) return 'space'
  return code >= 0x61 /* a */ && code <= 0x7a /* z */ ? 'literal' : 'mark'
}

function endOf(text: string, start: number, kind: Piece['kind']): number {
  if (kind === 'string') return endOfString(text, start)
  let end = start + 1
  if (kind === 'mark') return end
  while (end < text.length && goesOn(text.charCodeAt(end), kind)) end++
  return end
}

function endOfString(text: string, start: number): number {
  let at = start + 1
  for (;;) {
    const code = text.charCodeAt(at++)
    if (code === 0x22 /* " */) return at
    if (code === 0x5c /* \ */) at++
  }
}

function goesOn(code: number, kind: Piece['kind']): boolean {
  if (kind === 'space') return isSpace(code)
  // A comma or the end of a container follows a number or a literal, or white space.
  return !isSpace(code) && code !== 0x2c /* , */ && code !== 0x5d /* ] */ && code !== 0x7d /* } */
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x09 || code === 0x0a || code === 0x0d
}
