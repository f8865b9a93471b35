// JSON as text: its numbers, escapes and duplicate names stay as they were written, which JSON.parse() would lose.

/** Why a text is not JSON, and in which line, counted from 1, if the browser says that. */
export interface JsonProblem {
  readonly message: string
  readonly line: number | undefined
}

/** What is wrong with a text; undefined if it is JSON. */
export function jsonProblem(text: string): JsonProblem | undefined {
  try {
    JSON.parse(text)
    return undefined
  } catch (error) {
    const { message } = error as SyntaxError
    const [, line, position] = /\bline (\d+)|\bposition (\d+)/.exec(message) ?? []
    if (position !== undefined) return { message, line: text.slice(0, Number(position)).split('\n').length }
    return { message, line: line === undefined ? undefined : Number(line) }
  }
}

/** A JSON text on several lines. */
export function printJson(text: string): string {
  let level = 0
  const line = (by = 0) => `\n${'  '.repeat((level += by))}`
  return text
    .replace(/("(?:[^"\\]|\\.)*")|\s+/g, '$1')
    .replace(/"(?:[^"\\]|\\.)*"|\{\}|\[\]|[{}[\],:]/g, (token) => {
      if (token === '{' || token === '[') return token + line(1)
      if (token === '}' || token === ']') return line(-1) + token
      if (token === ',') return token + line()
      return token === ':' ? ': ' : token
    })
}
