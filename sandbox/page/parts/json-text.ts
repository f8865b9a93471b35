// JSON as text: its numbers, escapes and duplicate names stay as they were written, which JSON.parse() would lose.

/** What is wrong with a text, in the words of the browser; undefined if it is JSON. */
export function jsonProblem(text: string): string | undefined {
  try {
    JSON.parse(text)
    return undefined
  } catch (error) {
    return (error as SyntaxError).message
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
