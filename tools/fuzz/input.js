import { createHash } from 'node:crypto'

/**
 * What is fed to a target: byte strings by name, such as a header and a body.
 *
 * @typedef {Readonly<Record<string, Uint8Array>>} Input
 */

/** No input is larger, all parts together: four times what an event has. */
export const MAX_BYTES = 65_536

/**
 * A part of an input. One that is not there is empty.
 *
 * @param {Input} input
 * @param {string} name
 */
export function part(input, name) {
  return input[name] ?? new Uint8Array()
}

/** @param {Input} input */
export function sizeOf(input) {
  return Object.values(input).reduce((sum, { length }) => sum + length, 0)
}

/**
 * An input as a line of a corpus: JSON in ASCII, one character for each byte, to be read by people.
 *
 * @param {Input} input
 */
export function formatLine(input) {
  const texts = Object.entries(input).map(([name, bytes]) => [name, Buffer.from(bytes).toString('latin1')])
  return JSON.stringify(Object.fromEntries(texts)).replace(
    /[\u007f-\u00ff]/g,
    (character) => `\\u00${character.charCodeAt(0).toString(16)}`,
  )
}

/**
 * @param {string} line
 * @returns {Input}
 */
export function parseLine(line) {
  /** @type {unknown} */
  const texts = JSON.parse(line)
  return Object.fromEntries(
    Object.entries(/** @type {object} */ (texts)).map(([name, text]) => [
      name,
      Uint8Array.from(Buffer.from(String(text), 'latin1')),
    ]),
  )
}

/**
 * An input as an argument of the command line: `header=743d31,body=`.
 *
 * @param {Input} input
 */
export function formatArgument(input) {
  return Object.entries(input)
    .map(([name, bytes]) => `${name}=${Buffer.from(bytes).toString('hex')}`)
    .join(',')
}

/**
 * @param {string} text
 * @returns {Input}
 * @throws {TypeError} unless it is what {@link formatArgument} writes
 */
export function parseArgument(text) {
  return Object.fromEntries(
    text.split(',').map((pair) => {
      const [, name, hex] = /^([a-z]+)=((?:[0-9a-f]{2})*)$/.exec(pair) ?? []
      if (name === undefined || hex === undefined) {
        throw new TypeError('An input is written as name=hex,name=hex: header=743d31,body=7b7d')
      }
      return [name, Uint8Array.from(Buffer.from(hex, 'hex'))]
    }),
  )
}

/**
 * The name of an input in a file name.
 *
 * @param {Input} input
 */
export function hashOf(input) {
  return createHash('sha256').update(formatArgument(input)).digest('hex').slice(0, 12)
}
