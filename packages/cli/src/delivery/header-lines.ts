/** Header lines as they were saved: the names in lower case, each with its values in their order. */
export type HeaderLines = ReadonlyMap<string, readonly string[]>

/**
 * Reads what `curl -D`, `curl -v` or a raw request has of headers. What is no header line is passed over.
 *
 * @example
 * headerValue(parseHeaderLines('> Service-Signature: t=1743090080,v3=...'), 'service-signature')
 */
export function parseHeaderLines(text: string): HeaderLines {
  const headers = new Map<string, string[]>()
  // A line that starts with white space goes on with the one before (RFC 9112, 5.2).
  for (const line of text.replace(/\r?\n[ \t]+/g, ' ').split(/\r?\n/)) {
    const match = /^(?:[<>] ?)?([!#$%&'*+.^_`|~0-9A-Za-z-]+)[ \t]*:[ \t]*(.*)$/.exec(line)
    if (match === null) continue
    const name = match[1]!.toLowerCase()
    headers.set(name, [...(headers.get(name) ?? []), match[2]!.trimEnd()])
  }
  return headers
}

/** The value of a header. Of one that was sent twice, what Node and proxies make of it: joined by commas. */
export function headerValue(headers: HeaderLines, name: string): string | undefined {
  return headers.get(name)?.join(', ')
}
