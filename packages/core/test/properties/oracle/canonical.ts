import type { CanonicalForm } from '../../../src/entries/index.js'
import type { Tree } from '../../support/json.js'
import { readJson } from './json.js'

/** In the order in which a verifier tries them. */
export const FORMS = ['source', 'ecmascript', 'python'] as const satisfies readonly CanonicalForm[]

interface Printer {
  readonly literal: (token: string) => string
  readonly string: (token: string) => string
  readonly sortKey: (key: string) => string
}

const PRINTERS: Readonly<Record<CanonicalForm, Printer>> = {
  source: { literal: (token) => token, string: (token) => token, sortKey: inCodePoints },
  ecmascript: { literal: reprinted, string: reprinted, sortKey: (key) => key },
  python: { literal: pythonLiteral, string: pythonString, sortKey: inCodePoints },
}

/** The text that v2 signs before `t`, or undefined where the body is not JSON. */
export function canonicalText(body: Uint8Array, form: CanonicalForm): string | undefined {
  const tree = readJson(body)
  return tree === undefined ? undefined : print(tree, PRINTERS[form]).replace(/[ \n\r]/g, '')
}

function print(tree: Tree, printer: Printer): string {
  if ('token' in tree)
    return tree.token.startsWith('"') ? printer.string(tree.token) : printer.literal(tree.token)
  if ('items' in tree) return `[${tree.items.map((item) => print(item, printer)).join()}]`
  // The last of a repeated key wins, with its own spelling.
  const members = new Map(tree.members.map((member) => [printer.sortKey(valueOf(member[0])), member]))
  const sorted = Array.from(members).sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${sorted.map(([, [key, value]]) => `${printer.string(key)}:${print(value, printer)}`).join()}}`
}

function valueOf(token: string): string {
  return JSON.parse(token) as string
}

function reprinted(token: string): string {
  return JSON.stringify(JSON.parse(token))
}

/** Six hex digits for each code point, so that texts sort by code point and not by UTF-16 code unit. */
function inCodePoints(text: string): string {
  return Array.from(text, (character) => character.codePointAt(0)!.toString(16).padStart(6, '0')).join('')
}

/** As `json.dumps` prints a string: JSON.stringify, and everything else beyond ASCII escaped. */
function pythonString(token: string): string {
  return reprinted(token).replace(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** As `json.dumps` prints a number: integers digit by digit, others as the shortest `repr` of a float. */
function pythonLiteral(token: string): string {
  if (/^[tfn]/.test(token)) return token
  if (/^-?[0-9]+$/.test(token)) return token === '-0' ? '0' : token
  const sign = token.startsWith('-') ? '-' : ''
  const value = Math.abs(Number(token))
  if (value === Infinity) return `${sign}Infinity`
  const [mantissa = '', power = ''] = value.toExponential().split('e')
  const digits = mantissa.replace('.', '')
  const exponent = Number(power)
  if (exponent < -4 || exponent > 15) {
    return `${sign}${mantissa}e${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`
  }
  if (exponent < 0) return `${sign}0.${'0'.repeat(-exponent - 1)}${digits}`
  const whole = digits.slice(0, exponent + 1).padEnd(exponent + 1, '0')
  return `${sign}${whole}.${digits.slice(exponent + 1) || '0'}`
}
