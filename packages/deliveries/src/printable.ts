// Controls, formats (such as a change of direction), separators of lines, and halves of surrogate pairs.
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]+/gu
const LONGEST = 200

/** Text of others on one line, without what would command a terminal. */
export function printable(text: string, length = LONGEST): string {
  const line = withSpaces(text).trim()
  return line.length > length ? `${line.slice(0, length)}...` : line
}

/** A message of several lines, each without what would command a terminal. Text of others in it is `printable` before. */
export function printableLines(text: string): string {
  return text.split('\n').map(withSpaces).join('\n')
}

/** The JSON of a value, with indents. What would command a terminal is escaped, so the value stays the same. */
export function printableJson(value: unknown): string {
  const lines = JSON.stringify(value, null, 2).split('\n')
  return lines.map((line) => line.replace(UNPRINTABLE, escaped)).join('\n')
}

/** The lines of a text, each of at most this width unless a word is longer. */
export function wrapped(text: string, width: number): readonly string[] {
  const [first = '', ...words] = text.split(' ')
  const lines = [first]
  for (const word of words) {
    const line = `${lines.at(-1)!} ${word}`
    if (line.length > width) lines.push(word)
    else lines[lines.length - 1] = line
  }
  return lines
}

function withSpaces(text: string): string {
  return text.replace(UNPRINTABLE, ' ')
}

function escaped(text: string): string {
  return Array.from({ length: text.length }, (_, index) => escapedUnit(text.charCodeAt(index))).join('')
}

function escapedUnit(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, '0')}`
}
