import { signatureIn, type AttemptReport, type Headers, type SavedDelivery } from './delivery.js'
import { shellWords } from './shell-words.js'

/** The longest body that is an argument: Linux refuses arguments from 128 KiB. */
const MAX_ARGUMENT_BYTES = 100_000

/** The command line that sends the attempt again, byte for byte, in any POSIX shell. */
export function curlOf({ url, headers, body }: AttemptReport): string {
  const { sender, data } = bodyFor(body)
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
function bodyFor(body: string): { readonly sender: string; readonly data: string } {
  if (!/^@|\0/.test(body) && new TextEncoder().encode(body).length <= MAX_ARGUMENT_BYTES) {
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

/** Options of curl that have a value and do not matter here; any other option is taken for one without a value. */
const WITH_VALUE = new Set(
  '-A -b -c -e -E -F -K -m -o -r -T -u -U -w -x -X --cacert --cert --connect-timeout --cookie --key --max-time --output --proxy --referer --request --resolve --retry --url --user --user-agent'.split(
    ' ',
  ),
)
const DATA = new Set(['-d', '--data', '--data-ascii', '--data-binary', '--data-raw', '--json'])

export function isCurl(text: string): boolean {
  return /^\s*(?:\$\s+)?(?:printf\s[\s\S]*\|\s*)?curl\s/.test(text)
}

/**
 * Reads a curl command, as browsers copy it and the sandbox saves it.
 *
 * @throws {Error} if it is not complete, or its body is in a file
 */
export function readCurl(command: string): SavedDelivery {
  const words = shellWords(command.replace(/^\s*\$\s+/, ''))
  const pipe = words.indexOf('|')
  const piped = pipe === -1 ? undefined : printed(words.slice(1, pipe))
  const { url, headers, data } = argumentsOf(words.slice(pipe + 2))
  const texts = data.map(({ option, value }) => dataOf(option, value, piped))
  return {
    label: `curl ${url}`.trim(),
    header: signatureIn(headers),
    body: new TextEncoder().encode(texts.join('&')),
    notes: [],
  }
}

interface CurlArguments {
  readonly url: string
  readonly headers: Headers
  readonly data: readonly { readonly option: string; readonly value: string }[]
}

function argumentsOf(words: readonly string[]): CurlArguments {
  const headers: (readonly [string, string])[] = []
  const data: { option: string; value: string }[] = []
  let url = ''
  for (let at = 0; at < words.length; at++) {
    const { option, attached } = optionIn(words[at]!)
    if (option === undefined) {
      url = words[at]!
    } else if (option === '-H' || option === '--header') {
      headers.push(headerIn(attached ?? words[++at] ?? ''))
    } else if (DATA.has(option)) {
      data.push({ option, value: attached ?? words[++at] ?? '' })
    } else if (option === '--data-urlencode' || option === '-F' || option === '--form') {
      throw new Error(`curl encodes the body of ${option}, so its bytes are not in the command.`)
    } else if (WITH_VALUE.has(option) && attached === undefined) {
      at++
    }
  }
  return { url, headers, data }
}

/** An option, with its value if that is in the same word: `-HName: value`. */
function optionIn(word: string): { readonly option?: string; readonly attached?: string } {
  if (!/^-./.test(word)) return {}
  if (word.startsWith('--')) return { option: word }
  const option = word.slice(0, 2)
  const hasValue = option === '-H' || DATA.has(option) || WITH_VALUE.has(option)
  return hasValue && word.length > 2 ? { option, attached: word.slice(2) } : { option }
}

function headerIn(text: string): readonly [string, string] {
  const [, name = text, value = ''] = /^([^:;]*)[:;][ \t]*(.*)$/s.exec(text) ?? []
  return [name.trim(), value.trimEnd()]
}

function dataOf(option: string, value: string, piped: string | undefined): string {
  if (option === '--data-raw' || !value.startsWith('@')) return value
  if (value === '@-' && piped !== undefined) return piped
  const file = value === '@-' ? 'the standard input' : `the file ${value.slice(1)}`
  throw new Error(`The body is in ${file}, not in the command: give the header and the body on their own.`)
}

/** What `printf` prints of a format without arguments. */
function printed(words: readonly string[]): string {
  return (words[0] ?? '').replace(/%%|\\([0-7]{1,3})|\\(.)/gs, (_, octal?: string, letter?: string) => {
    if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8))
    if (letter === undefined) return '%'
    return letter === 'n' ? '\n' : letter === 't' ? '\t' : letter === 'r' ? '\r' : letter
  })
}
