import { textOf } from './json.js'

/**
 * Whether two bodies say the same, but for what v2 cannot see: spaces in strings, digits that no double holds, and
 * which number that is too large (JavaScript prints null for it).
 *
 * @param {Uint8Array} one
 * @param {Uint8Array} other
 */
export function saysTheSame(one, other) {
  return flatten(JSON.parse(textOf(one) ?? '')) === flatten(JSON.parse(textOf(other) ?? ''))
}

/**
 * @param {unknown} value
 * @returns {string}
 */
function flatten(value) {
  if (Array.isArray(value)) return `[${value.map(flatten).join(',')}]`
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).map(([key, item]) => `${flatten(key)}:${flatten(item)}`)
    return `{${members.sort().join(',')}}`
  }
  return JSON.stringify(typeof value === 'string' ? value.replaceAll(' ', '') : value)
}
