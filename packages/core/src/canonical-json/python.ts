import type { Respelling } from './canonicalize.js'
import { decodeString } from './members.js'

/** As Python's `json.dumps(json.loads(body))` spells it. */
export const python: Respelling = {
  string: (token) => pythonString(decodeString(token)),
  number: (token) => pythonNumber(new TextDecoder().decode(token)),
}

/** JSON.stringify escapes as Python does, but leaves U+007F and what is beyond ASCII alone. */
function pythonString(text: string): string {
  return JSON.stringify(text).replace(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** An integer keeps its digits, however many; anything else is a float. */
function pythonNumber(source: string): string {
  if (!/[.eE]/.test(source)) return source === '-0' ? '0' : source
  return pythonFloat(Number(source))
}

/** Python's `repr`: the same shortest digits as in JavaScript, with the exponent at other bounds. */
function pythonFloat(value: number): string {
  if (!Number.isFinite(value)) return value > 0 ? 'Infinity' : '-Infinity'
  const exponential = value.toExponential()
  const exponent = Number(exponential.slice(exponential.indexOf('e') + 1))
  if (exponent < -4 || exponent >= 16) return exponential.replace(/(?<=e[+-])\d$/, '0$&')
  const sign = Object.is(value, -0) ? '-' : ''
  return `${sign}${value}${Number.isInteger(value) ? '.0' : ''}`
}
