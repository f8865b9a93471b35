import { decodeString } from './order.js'
import type { JsonNode, Scalar } from './tree.js'

/** What Python's `json.dumps(json.loads(body), sort_keys=True, separators=(',', ':'))` prints. ASCII only. */
export function pythonText(node: JsonNode, bytes: Uint8Array): string {
  switch (node.kind) {
    case 'object':
      return `{${node.members.map(({ key, value }) => `${text(key, bytes)}:${pythonText(value, bytes)}`).join()}}`
    case 'array':
      return `[${node.items.map((item) => pythonText(item, bytes)).join()}]`
    case 'string':
      return text(node, bytes)
    case 'number':
      return number(source(node, bytes))
    case 'literal':
      return source(node, bytes)
  }
}

/** JSON.stringify escapes as Python does, but leaves U+007F and what is beyond ASCII alone. */
function text(token: Scalar, bytes: Uint8Array): string {
  return JSON.stringify(decodeString(token, bytes)).replace(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

function number(source: string): string {
  if (!/[.eE]/.test(source)) return source === '-0' ? '0' : source
  return float(Number(source))
}

/** Python's `repr`: the same shortest digits as in JavaScript, with the exponent at other bounds. */
function float(value: number): string {
  if (!Number.isFinite(value)) return value > 0 ? 'Infinity' : '-Infinity'
  const exponential = value.toExponential()
  const exponent = Number(exponential.slice(exponential.indexOf('e') + 1))
  if (exponent < -4 || exponent >= 16) return exponential.replace(/(?<=e[+-])\d$/, '0$&')
  const sign = Object.is(value, -0) ? '-' : ''
  return `${sign}${value}${Number.isInteger(value) ? '.0' : ''}`
}

function source(token: Scalar, bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes.subarray(token.start, token.end))
}
