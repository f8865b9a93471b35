import { printBody, type BodyStyle } from '@service-signature/core/testing'

/** A change of a field of an event. */
export interface Setting {
  /** Items of arrays are fields whose names are numbers. */
  readonly path: readonly string[]
  readonly value: unknown
  /** How the value is written, if it was given as JSON: `10.0` is not `10` to a signature. */
  readonly json?: string
}

/**
 * `path=value` of a command line: `intent.amount.value=10.0`. A value that is not JSON is text.
 *
 * @throws {TypeError} without a path
 */
export function parseSetting(text: string): Setting {
  const equals = text.indexOf('=')
  const path = text.slice(0, Math.max(equals, 0)).split('.')
  if (path.includes('')) {
    throw new TypeError(
      `--set must be path=value, such as intent.amount.value=10.0, got ${JSON.stringify(text)}.`,
    )
  }
  const value = text.slice(equals + 1)
  try {
    return { path, value: JSON.parse(value) as unknown, json: value }
  } catch {
    return { path, value }
  }
}

/**
 * The same, but a name that is neither a path nor a field at the top stands for every field of this name whose kind is that of the
 * value: `amount=20` changes the value of an amount, and an amount that is decimal text, which stays text.
 *
 * @throws {TypeError} if it is not a setting, or there is no field that it can change
 */
export function settingsFor(payload: unknown, text: string): readonly Setting[] {
  const setting = parseSetting(text)
  const [name, ...rest] = setting.path as [string, ...string[]]
  if (rest.length > 0 || hasField(payload, name)) return [setting]
  const fields = fieldsNamed(name, payload)
  if (fields.length === 0) {
    throw new TypeError(
      `The event has no "${name}". Give the whole path, such as --set intent.amount.value=20`,
    )
  }
  const settings = fields.flatMap(({ path, before }) => settingInPlaceOf(before, { ...setting, path }, text))
  if (settings.length > 0) return settings
  throw new TypeError(
    `--set ${text}: no "${name}" of the event is ${KINDS[kindOf(setting.value)]}. Give the whole path to change its kind.`,
  )
}

/**
 * The event with these changes. Missing fields are added.
 *
 * @throws {TypeError} on a path that leads through a text or a number, or past the end of an array
 */
export function withSettings(payload: unknown, settings: readonly Setting[]): unknown {
  return settings.reduce((whole, { path, value }) => replaced(whole, path, value), payload)
}

/**
 * The text of the event with these changes. JSON appears as it was written; all else is printed in the style of the body.
 *
 * @throws {TypeError} as {@link withSettings}
 */
export function printedWith(payload: unknown, settings: readonly Setting[], style: BodyStyle): string {
  // No argument of a command line can hold the character.
  const marker = (index: number) => `\0${index}\0`
  const marked = settings.map((setting, index) =>
    setting.json === undefined ? setting : { ...setting, value: marker(index) },
  )
  return settings.reduce(
    (text, { json }, index) =>
      json === undefined ? text : text.replace(JSON.stringify(marker(index)), () => json),
    printBody(withSettings(payload, marked), style),
  )
}

type Fields = Readonly<Record<string, unknown>>

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null
}

function hasField(value: unknown, name: string): boolean {
  return isObject(value) && Object.hasOwn(value, name)
}

function replaced(target: unknown, path: readonly string[], leaf: unknown): unknown {
  const [name, ...rest] = path
  if (name === undefined) return leaf
  if (target === undefined) return { [name]: replaced(undefined, rest, leaf) }
  if (!isObject(target))
    throw new TypeError(`--set cannot set "${path.join('.')}": its parent is not an object.`)
  if (Array.isArray(target)) return replacedItem(target, path, leaf)
  const before = hasField(target, name) ? target[name] : undefined
  // From entries, so that a field named __proto__ is a field.
  return Object.fromEntries([...Object.entries(target), [name, replaced(before, rest, leaf)]])
}

function replacedItem(items: readonly unknown[], [name, ...rest]: readonly string[], leaf: unknown): unknown {
  const index = Number(name)
  if (!/^\d+$/.test(name!) || index > items.length) {
    throw new TypeError(
      `--set cannot go to "${name!}" of an array: it has ${items.length} items, from 0; the next number adds one.`,
    )
  }
  const copy = [...items]
  copy[index] = replaced(items[index], rest, leaf)
  return copy
}

interface Found {
  readonly path: readonly string[]
  readonly before: unknown
}

function fieldsNamed(name: string, value: unknown): readonly Found[] {
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([field, each]) =>
    field === name
      ? [{ path: [field], before: each }]
      : fieldsNamed(name, each).map(({ path, before }) => ({ path: [field, ...path], before })),
  )
}

const KINDS = {
  number: 'a number',
  string: 'a text',
  boolean: 'a boolean',
  list: 'a list',
  object: 'an object',
} as const

function kindOf(value: unknown): keyof typeof KINDS {
  return Array.isArray(value) ? 'list' : (typeof value as 'number' | 'string' | 'boolean' | 'object')
}

/** An amount that is text. */
const DECIMAL = /^-?\d+\.\d+$/

/** The setting in place of a value; none if that has another kind. Null takes the place of any value, and any value that of null. */
function settingInPlaceOf(before: unknown, setting: Setting, text: string): readonly Setting[] {
  const { path, value } = setting
  if (before === null || value === null) return [setting]
  if (typeof before === 'string') {
    if (typeof value === 'number') return decimalLike(before, value, path, text)
    return typeof value !== 'string' || (DECIMAL.test(before) && !DECIMAL.test(value)) ? [] : [setting]
  }
  if (kindOf(before) === kindOf(value)) return [setting]
  // An amount is an object with its currency, of which only the value is changed.
  if (!hasField(before, 'value')) return []
  return settingInPlaceOf((before as Fields)['value'], { ...setting, path: [...path, 'value'] }, text)
}

/** The number with the decimals of a decimal text; none if it is another text. */
function decimalLike(
  before: string,
  value: number,
  path: readonly string[],
  text: string,
): readonly Setting[] {
  const [match, decimals = ''] = /^-?\d+(?:\.(\d+))?$/.exec(before) ?? []
  if (match === undefined) return []
  const printed = value.toFixed(decimals.length)
  if (printed.includes('e')) throw new TypeError(`--set ${text} is too large for "${before}" of the event`)
  if (Number(printed) !== value)
    throw new TypeError(`--set ${text} has more decimals than "${before}" of the event`)
  return [{ path, value: printed }]
}
