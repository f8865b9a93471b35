import type { AttemptReport } from './attempt-report.js'

/** The longest body that is an argument: Linux refuses arguments from 128 KiB. */
const MAX_ARGUMENT_BYTES = 100_000

/** The command line that sends the attempt again, byte for byte, in any POSIX shell. */
export function curlOf({ url, headers, body }: AttemptReport): string {
  const { sender, data } = dataOf(body)
  const options = [
    // It would take these characters as a pattern for several addresses.
    ...(/[[\]{}]/.test(url) ? ['--globoff'] : []),
    '--request POST',
    ...Object.entries(headers)
      // curl counts it itself.
      .filter(([name]) => name !== 'Content-Length')
      .map(([name, value]) => `--header ${quoted(`${name}: ${value}`)}`),
    `--data-binary ${data}`,
    quoted(url),
  ]
  return `${sender}curl --include ${options.join(' \\\n  ')}\n`
}

/** An argument that starts with "@" is the name of a file to curl, and none can hold a NUL: such a body goes through a pipe. */
function dataOf(body: string): { readonly sender: string; readonly data: string } {
  if (!/^@|\0/.test(body) && Buffer.byteLength(body) <= MAX_ARGUMENT_BYTES) {
    return { sender: '', data: quoted(body) }
  }
  const format = body
    .replaceAll('\\', '\\\\')
    .replaceAll('%', '%%')
    .replaceAll('\0', '\\000')
    // An argument that starts with "-" is an option to printf.
    .replace(/^-/, '\\055')
  return { sender: `printf ${quoted(format)} | `, data: '@-' }
}

/** Within single quotes, a shell takes every character as it is but the quote itself. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
