/**
 * The value of `Service-Signature` in header lines as `curl -D` or `curl -v` write them; other lines are skipped. Values of a
 * header that was sent twice are joined, as Node and proxies do. `null` without that header.
 *
 * @example
 * signatureInLines('> Service-Signature: t=1743090080,v3=...')
 */
export function signatureInLines(text: string): string | null {
  // A line that starts with white space continues the one before (RFC 9112, 5.2). The line break stays in the value, because a
  // server refuses it.
  const lines = text.split(/\r?\n(?![ \t])/)
  const values = lines.flatMap((line) => {
    const match = /^\ufeff?(?:[<>] ?)?service-signature[ \t]*:[ \t]*(.*)$/is.exec(line)
    return match === null ? [] : [match[1]!.trimEnd()]
  })
  return values.length === 0 ? null : values.join(', ')
}
