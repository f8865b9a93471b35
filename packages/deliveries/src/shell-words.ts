const ESCAPES: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  e: '\x1b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
}

/** The pieces of a command line. A quote that is not closed is `other`. */
const PIECES = new RegExp(
  [
    /'(?<single>[^']*)'/,
    /\$'(?<bash>[^'\\]*(?:\\.[^'\\]*)*)'/,
    /"(?<double>[^"\\]*(?:\\.[^"\\]*)*)"/,
    /(?<continued>\\\r?\n)/,
    /\\(?<escaped>.?)/,
    /(?<pipe>\|)/,
    /(?<space>\s+)/,
    /(?<other>[^'"\\|\s$]+|.)/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'gs',
)

/**
 * The words of a command line, as a POSIX shell splits it, with the `$'...'` of bash. Nothing is expanded. A pipe is a word
 * of its own.
 *
 * @throws {Error} if a quote is not closed
 */
export function shellWords(command: string): readonly string[] {
  const words: string[] = []
  let isWord = false
  for (const { groups } of command.matchAll(PIECES)) {
    const { continued, space, pipe } = groups!
    if (continued !== undefined) continue
    if (space !== undefined || pipe !== undefined) {
      isWord = false
      if (pipe !== undefined) words.push(pipe)
      continue
    }
    if (!isWord) words.push('')
    isWord = true
    words.push(words.pop()! + textOf(groups!))
  }
  return words
}

function textOf({
  single,
  bash,
  double,
  escaped,
  other,
}: Readonly<Record<string, string | undefined>>): string {
  if (other === "'" || other === '"') throw new Error(`A quote (${other}) in the command is not closed.`)
  if (bash !== undefined) return bashEscape(bash)
  if (double !== undefined) return doubleQuoteEscape(double)
  return single ?? escaped ?? other!
}

function doubleQuoteEscape(source: string): string {
  return source.replace(/\\(?:\r?\n|([\\"$`]))/g, (_, letter: string | undefined) => letter ?? '')
}

function bashEscape(source: string): string {
  return source.replace(
    /\\(?:x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|U([0-9a-fA-F]{1,8})|([0-7]{1,3})|(.))/gs,
    (_, hex?: string, unit?: string, point?: string, octal?: string, letter?: string) => {
      if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8))
      const digits = hex ?? unit ?? point
      if (digits !== undefined) return String.fromCodePoint(Number.parseInt(digits, 16))
      return ESCAPES[letter!] ?? letter!
    },
  )
}
