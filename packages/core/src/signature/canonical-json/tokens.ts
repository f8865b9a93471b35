/** The tokens of a document as a form prints them, one per line. */
export interface Spelling {
  readonly bytes: Uint8Array
  /** Where the line of each token starts, and where one after the last would. */
  readonly starts: readonly number[]
}

const COMMA = 0x2c
const LINE_FEED = 0x0a

/** The tokens of a document, decoded and printed all at once. None contains a raw line feed, so they can be split again. */
export class Tokens {
  readonly #source: Uint8Array
  readonly #places: readonly number[]
  #values: readonly unknown[] | undefined

  /** @param places where each token starts and ends in the source, in pairs */
  constructor(source: Uint8Array, places: readonly number[]) {
    this.#source = source
    this.#places = places
  }

  /** As JSON.stringify prints them. */
  ecmascript(): Spelling {
    return inLines(new TextEncoder().encode(this.#printed()))
  }

  /** As Python's `json.dumps` prints them. */
  python(): Spelling {
    const values = this.values
    const printed = this.#printed().split(',\n ')
    const python = this.#text()
      .split(',\n')
      .map((source, index) => (typeof values[index] === 'string' ? printed[index] : pythonNumber(source)))
    return inLines(asciiJson(python.join(',\n')))
  }

  /** The strings and numbers that the tokens represent. */
  get values(): readonly unknown[] {
    return (this.#values ??= JSON.parse(`[${this.#text()}]`) as readonly unknown[])
  }

  #text(): string {
    const source = this.#source
    const places = this.#places
    let total = 0
    for (let i = 0; i < places.length; i += 2) total += places[i + 1]! - places[i]! + 2
    const bytes = new Uint8Array(total)
    let length = 0
    // Stryker disable next-line EqualityOperator: a write past the end of a typed array is ignored.
    for (let i = 0; i < places.length; i += 2) {
      for (let at = places[i]!; at < places[i + 1]!; at++) bytes[length++] = source[at]!
      bytes[length++] = COMMA
      bytes[length++] = LINE_FEED
    }
    return new TextDecoder().decode(bytes.subarray(0, -2))
  }

  #printed(): string {
    return JSON.stringify(this.values, undefined, 1).slice('[\n '.length, -'\n]'.length)
  }
}

function inLines(bytes: Uint8Array): Spelling {
  const starts = [0]
  // Stryker disable next-line EqualityOperator: a byte past the end is undefined.
  for (let at = 0; at < bytes.length; at++) if (bytes[at] === LINE_FEED) starts.push(at + 1)
  // The end of the last token, as if a comma, a line feed and another line followed.
  starts.push(bytes.length + 2)
  return { bytes, starts }
}

/** As JavaScript sorts, by UTF-16 code unit. */
export function compareCodeUnits(a: string, b: string): number {
  return a < b ? -1 : Number(a > b)
}

/** Unlike `<`, which compares UTF-16 code units, so that U+1F600 comes after U+FFFD. */
export function compareCodePoints(a: string, b: string): number {
  for (let i = 0; ; i++) {
    const pointA = a.codePointAt(i) ?? -1
    const pointB = b.codePointAt(i) ?? -1
    if (pointA !== pointB || pointA === -1) return pointA - pointB
  }
}

/** As Python's `json.dumps` escapes it: JSON.stringify does the same, except for U+007F and non-ASCII characters. */
export function asciiJson(text: string): Uint8Array {
  const bytes = new Uint8Array(6 * text.length)
  let length = 0
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    if (unit < 0x7f) bytes[length++] = unit
    else {
      bytes[length++] = 0x5c // \
      bytes[length++] = 0x75 // u
      for (let shift = 12; shift >= 0; shift -= 4) bytes[length++] = HEX.charCodeAt((unit >> shift) & 15)
    }
  }
  return bytes.subarray(0, length)
}

const HEX = '0123456789abcdef'

/** As `json.dumps(json.loads(source))`: an integer keeps its digits, however many; anything else is a float. */
export function pythonNumber(source: string): string {
  if (!/[.eE]/.test(source)) return source === '-0' ? '0' : source
  const value = Number(source)
  const size = Math.abs(value)
  // The same shortest digits as in JavaScript (and `Infinity`), with the exponent from other bounds on.
  if (size >= 1e16 || (size < 1e-4 && size > 0)) return value.toExponential().replace(/(?<=e[+-])\d$/, '0$&')
  const sign = Object.is(value, -0) ? '-' : ''
  return `${sign}${value}${Number.isInteger(value) ? '.0' : ''}`
}
