/*
 * Errors of others (of `fetch`, of a cache) are told in words and never kept as `cause`: what hangs on them may be the
 * request with its key, or the answer with the secret (undici's HTTPParserError has it in `data`).
 */

const MAX_CAUSES = 4

/** The messages of an error and its causes, with the keys taken out. */
export function inWords(error: unknown, keys: readonly string[]): string {
  const messages: string[] = []
  let link = error
  while (typeof link === 'object' && link !== null && messages.length < MAX_CAUSES) {
    const { message, code, cause } = link as Readonly<Record<string, unknown>>
    // Where Node has tried several addresses, its error has a code and no message.
    messages.push([message, code].find(isText) ?? 'no reason given')
    link = cause
  }
  return keys.reduce((text, key) => text.replaceAll(key, '[key]'), messages.join(': '))
}

/** What kind of error it is, and no more: a cache has the secret, and its errors may quote what it holds. */
export function kindOf(error: unknown): string {
  const { code, name } = Object(error) as Readonly<Record<string, unknown>>
  return [code, name].find(isText) ?? typeof error
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}
