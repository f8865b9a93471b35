import { readJson } from './json.js'

/** @import { Node, Text } from './json.js' */

/**
 * @typedef {'source' | 'ecmascript' | 'python'} Form
 *
 * @typedef {object} Printer
 * @property {(token: string) => string} token of a number or literal
 * @property {(text: Text) => string} string
 * @property {(a: string, b: string) => number} compare
 */

/** In the order in which a verifier tries them. */
export const FORMS = /** @type {const} */ (['source', 'ecmascript', 'python'])

/** @type {Readonly<Record<Form, Printer>>} */
const PRINTERS = {
  source: { token: (token) => token, string: ({ token }) => token, compare: byCodePoint },
  ecmascript: {
    token: (token) => JSON.stringify(JSON.parse(token)),
    string: ({ value }) => JSON.stringify(value),
    compare: (a, b) => (a < b ? -1 : 1),
  },
  python: { token: pythonToken, string: ({ value }) => pythonString(value), compare: byCodePoint },
}

/**
 * The text that v2 signs before `t` (S6.4), or nothing where the body is not JSON.
 *
 * @param {Uint8Array} body
 * @param {Form} form
 */
export function canonicalText(body, form) {
  const root = readJson(body)
  return root === undefined ? undefined : print(root, PRINTERS[form]).replace(/[ \n\r]/g, '')
}

/**
 * @param {Node} node
 * @param {Printer} printer
 * @returns {string}
 */
function print(node, printer) {
  switch (node.kind) {
    case 'token':
      return printer.token(node.token)
    case 'string':
      return printer.string(node)
    case 'array':
      return `[${node.items.map((item) => print(item, printer)).join(',')}]`
    case 'object': {
      // Of a repeated key the last wins, with its own spelling.
      const last = new Map(node.members.map((member) => [member[0].value, member]))
      const members = [...last.values()].sort(([a], [b]) => printer.compare(a.value, b.value))
      return `{${members.map(([key, value]) => `${printer.string(key)}:${print(value, printer)}`).join(',')}}`
    }
  }
}

/**
 * @param {string} a
 * @param {string} b
 */
function byCodePoint(a, b) {
  const others = Array.from(b)
  for (const [index, character] of Array.from(a).entries()) {
    const other = others[index]?.codePointAt(0) ?? -1
    const difference = (character.codePointAt(0) ?? -1) - other
    if (difference !== 0) return difference
  }
  return -1
}

/** @param {string} value */
function pythonString(value) {
  return `"${Array.from({ length: value.length }, (_, at) => pythonUnit(value.charCodeAt(at))).join('')}"`
}

const SHORT = new Map([
  [0x22, '\\"'],
  [0x5c, '\\\\'],
  [0x08, '\\b'],
  [0x0c, '\\f'],
  [0x0a, '\\n'],
  [0x0d, '\\r'],
  [0x09, '\\t'],
])

/** @param {number} unit of UTF-16 */
function pythonUnit(unit) {
  const short = SHORT.get(unit)
  if (short !== undefined) return short
  return unit >= 0x20 && unit <= 0x7e ? String.fromCharCode(unit) : `\\u${unit.toString(16).padStart(4, '0')}`
}

/** @param {string} token */
function pythonToken(token) {
  if (/^[tfn]/.test(token)) return token
  if (/^-?[0-9]+$/.test(token)) return token === '-0' ? '0' : token
  const sign = token.startsWith('-') ? '-' : ''
  const value = Math.abs(Number(token))
  if (value === Infinity) return `${sign}Infinity`
  const [mantissa = '', power = ''] = value.toExponential().split('e')
  const digits = mantissa.replace('.', '')
  const exponent = Number(power)
  if (exponent < -4 || exponent > 15) {
    const size = String(Math.abs(exponent)).padStart(2, '0')
    return `${sign}${mantissa}e${exponent < 0 ? '-' : '+'}${size}`
  }
  if (exponent < 0) return `${sign}0.${'0'.repeat(-exponent - 1)}${digits}`
  const whole = digits.slice(0, exponent + 1).padEnd(exponent + 1, '0')
  return `${sign}${whole}.${digits.slice(exponent + 1) || '0'}`
}
