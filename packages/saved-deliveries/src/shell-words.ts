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

/**
 * The words of a command line, as a POSIX shell splits it, with the `$'...'` of bash. Nothing is expanded. A pipe is a word
 * of its own.
 *
 * @throws {Error} if a quote is not closed
 */
export function shellWords(command: string): readonly string[] {
  return new WordReader(command).words()
}

class WordReader {
  readonly #command: string
  readonly #words: string[] = []
  #word: string | undefined
  #at = 0

  constructor(command: string) {
    this.#command = command
  }

  words(): readonly string[] {
    while (this.#at < this.#command.length) this.#step()
    this.#end()
    return this.#words
  }

  #step(): void {
    const rest = this.#command.slice(this.#at, this.#at + 2)
    const [letter] = rest
    if (letter === "'") this.#add(this.#until("'", 1))
    else if (rest === "$'") this.#add(this.#escaped(2, "'", bashEscape))
    else if (letter === '"') this.#add(this.#escaped(1, '"', doubleQuoteEscape))
    else if (letter === '\\') this.#backslash()
    else if (letter === '|') this.#operator()
    else if (/\s/.test(letter!)) this.#space()
    else this.#add(this.#take(1))
  }

  #add(text: string): void {
    this.#word = (this.#word ?? '') + text
  }

  #end(): void {
    if (this.#word !== undefined) this.#words.push(this.#word)
    this.#word = undefined
  }

  #space(): void {
    this.#at++
    this.#end()
  }

  #operator(): void {
    this.#end()
    this.#words.push(this.#take(1))
  }

  #take(length: number): string {
    const text = this.#command.slice(this.#at, this.#at + length)
    this.#at += length
    return text
  }

  /** A backslash before a line break continues the line; before anything else it takes that as it is. */
  #backslash(): void {
    const lineBreak = /^\\\r?\n/.exec(this.#command.slice(this.#at, this.#at + 3))
    if (lineBreak !== null) this.#at += lineBreak[0].length
    else this.#add(this.#take(2).slice(1))
  }

  #until(quote: string, skipped: number): string {
    const start = this.#at + skipped
    const end = this.#command.indexOf(quote, start)
    if (end === -1) throw new Error(`A quote (${quote}) in the command is not closed.`)
    this.#at = end + 1
    return this.#command.slice(start, end)
  }

  /** Text up to a quote, with backslash escapes. */
  #escaped(skipped: number, quote: string, unescape: (source: string) => string): string {
    let end = this.#at + skipped
    while (end < this.#command.length && this.#command[end] !== quote) {
      end += this.#command[end] === '\\' ? 2 : 1
    }
    const source = this.#command.slice(this.#at + skipped, end)
    if (end >= this.#command.length) throw new Error(`A quote (${quote}) in the command is not closed.`)
    this.#at = end + 1
    return unescape(source)
  }
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
