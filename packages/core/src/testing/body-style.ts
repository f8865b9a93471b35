import { pythonNumber } from '../canonical-json/tokens.js'

/** How the body of a delivery is printed: as Python does, like the payment service, or as `JSON.stringify` does. */
export type BodyStyle = 'python' | 'ecmascript'

const BODY_STYLES = ['python', 'ecmascript'] as const satisfies readonly BodyStyle[]

/** The amounts of an event, which the service prints as Python prints a float: `10.0`. */
const AMOUNT =
  /^\.(?:intent\.amount\.value|transaction\.operations\.\d+\.amount\.value|data\.intent\.amount)$/

/**
 * Prints a payload as the body of a delivery. In Python's style, whole amounts end with `.0` and letters beyond ASCII are
 * escaped, so that printing the parsed body again in JavaScript gives other bytes, as it does with the payment service.
 *
 * @example
 * const body = printBody(transactionEvent())
 *
 * @throws {TypeError} on a style that does not exist
 */
export function printBody(payload: unknown, bodyStyle: BodyStyle = 'python'): string {
  if (!BODY_STYLES.includes(bodyStyle)) {
    throw new TypeError(`"bodyStyle" must be one of ${BODY_STYLES.join(', ')}`)
  }
  const text = JSON.stringify(payload)
  if (bodyStyle === 'ecmascript') return text
  return printed(JSON.parse(text), '').replace(/[\u007f-\uffff]/g, escaped)
}

/** Not with TextDecoder, which Jest's jsdom lacks: tests of handlers run there, too. */
function escaped(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
}

function printed(value: unknown, path: string): string {
  if (typeof value === 'number') return printedNumber(value, AMOUNT.test(path))
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map((item, index) => printed(item, `${path}.${index}`)).join()}]`
  const fields = Object.entries(value).map(
    ([name, field]) => `${JSON.stringify(name)}:${printed(field, `${path}.${name}`)}`,
  )
  return `{${fields.join()}}`
}

/** JavaScript does not know whether a whole number is a float; of an event, only the amounts are. */
function printedNumber(value: number, isFloat: boolean): string {
  const text = String(value)
  return pythonNumber(isFloat && Number.isInteger(value) && !text.includes('e') ? `${text}.0` : text)
}
