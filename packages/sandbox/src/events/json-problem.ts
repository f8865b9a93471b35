const SPACE = /[ \t\n\r]*/y
const TOKEN =
  /"(?:[ !#-[\]-\uffff]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null|[[\]{},:]/y

/** What may come next in a JSON text. */
type Expected = 'value' | 'first-item' | 'name' | 'first-name' | 'colon' | 'next' | 'end'

/**
 * What is wrong with a text that should be JSON, if something is. `JSON.parse` quotes the text instead, and its words
 * depend on the version of Node.
 */
export function jsonProblem(text: string): string | undefined {
  const at = endOfJson(text)
  if (at === undefined) return undefined
  const lines = text.slice(0, at).split('\n')
  const place = `line ${lines.length}, column ${lines.at(-1)!.length + 1}`
  return at === text.length
    ? `It is not JSON: the text ends too early, at ${place}.`
    : `It is not JSON from ${place} on.`
}

/** Where a text stops to be JSON; undefined if it is JSON. */
function endOfJson(text: string): number | undefined {
  const closers: string[] = []
  let expected: Expected = 'value'
  for (let at = 0; ;) {
    at += tokenAt(SPACE, text, at)!.length
    const token = tokenAt(TOKEN, text, at)
    if (token === undefined) return at === text.length && expected === 'end' ? undefined : at
    const next = following(expected, token, closers)
    if (next === undefined) return at
    expected = next
    at += token.length
  }
}

function tokenAt(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0]
}

/** What is expected after a token; undefined if the token itself is not. */
function following(expected: Expected, token: string, closers: string[]): Expected | undefined {
  switch (expected) {
    case 'first-item':
      return token === ']' ? close(closers) : following('value', token, closers)
    case 'value':
      if (token === '{') return open(closers, '}', 'first-name')
      if (token === '[') return open(closers, ']', 'first-item')
      return /^[\]},:]/.test(token) ? undefined : afterValue(closers)
    case 'first-name':
      return token === '}' ? close(closers) : following('name', token, closers)
    case 'name':
      return token.startsWith('"') ? 'colon' : undefined
    case 'colon':
      return token === ':' ? 'value' : undefined
    case 'next':
      if (token === ',') return closers.at(-1) === '}' ? 'name' : 'value'
      return token === closers.at(-1) ? close(closers) : undefined
    case 'end':
      return undefined
  }
}

function open(closers: string[], closer: string, expected: Expected): Expected {
  closers.push(closer)
  return expected
}

function close(closers: string[]): Expected {
  closers.pop()
  return afterValue(closers)
}

function afterValue(closers: readonly string[]): Expected {
  return closers.length === 0 ? 'end' : 'next'
}
