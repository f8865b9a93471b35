const SPACE = /[ \t\n\r]*/y
const TOKEN =
  /"(?:[ !#-[\]-\uffff]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null|[[\]{},:]/y

/** What a token must begin with, by what is expected in its place. */
const ALLOWED = {
  value: /^[^\]},:]/,
  'first-item': /^[^},:]/,
  name: /^"/,
  'first-name': /^["}]/,
  colon: /^:/,
  'end-of-item': /^[,\]]/,
  'end-of-field': /^[,}]/,
  // Nothing follows the value of the whole text.
  nothing: /^$/,
}

type Expected = keyof typeof ALLOWED

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
    if (token === undefined) return at === text.length && expected === 'nothing' ? undefined : at
    if (!ALLOWED[expected].test(token)) return at
    expected = afterToken(token, expected, closers)
    at += token.length
  }
}

function tokenAt(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0]
}

/** What is expected after a token. `closers`: of the lists and objects that are open. */
function afterToken(token: string, expected: Expected, closers: string[]): Expected {
  switch (token) {
    case '{':
      closers.push('}')
      return 'first-name'
    case '[':
      closers.push(']')
      return 'first-item'
    case ',':
      return closers.at(-1) === '}' ? 'name' : 'value'
    case ':':
      return 'value'
    case '}':
    case ']':
      closers.pop()
      break
    default:
      if (expected === 'name' || expected === 'first-name') return 'colon'
  }
  if (closers.length === 0) return 'nothing'
  return closers.at(-1) === '}' ? 'end-of-field' : 'end-of-item'
}
