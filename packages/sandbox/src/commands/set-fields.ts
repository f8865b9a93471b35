/**
 * Changes fields of a payload, each given as `path=value`. A path with a dot, or of a field at the top, is a whole path. Another
 * name is changed wherever a field of this name has the kind of the value: `amount=20` changes the value of an amount, and an
 * amount that is decimal text, which stays text.
 *
 * @throws {TypeError} if a setting has no "=", or there is no field that it can change
 */
export function setFields(payload: unknown, settings: readonly string[]): unknown {
  return settings.reduce(setField, payload)
}

function setField(payload: unknown, setting: string): unknown {
  const equals = setting.indexOf('=')
  if (equals < 1)
    throw new TypeError(`--set must be path=value, such as amount=20, got ${JSON.stringify(setting)}`)
  const path = setting.slice(0, equals)
  const value = parse(setting.slice(equals + 1))
  if (path.includes('.') || hasField(payload, path)) return setAt(payload, path.split('.'), value, path)
  const fields = fieldsNamed(path, payload)
  if (fields.length === 0) {
    throw new TypeError(
      `The event has no "${path}". Give the whole path, such as --set intent.amount.value=20`,
    )
  }
  if (fields.every((before) => inPlaceOf(before, value, setting) === undefined)) {
    throw new TypeError(
      `--set ${setting}: no "${path}" of the event is ${KINDS[kindOf(value)]}. Give the whole path to change its kind.`,
    )
  }
  return setEverywhere(payload, path, (before) => {
    const after = inPlaceOf(before, value, setting)
    return after === undefined ? before : after
  })
}

/** Text that is not JSON is text. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

type Fields = Readonly<Record<string, unknown>>

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

function hasField(value: unknown, name: string): boolean {
  return isObject(value) && Object.hasOwn(value, name)
}

/** Items of lists are fields whose names are numbers. Missing fields are added. */
function setAt(target: unknown, [name, ...rest]: readonly string[], value: unknown, path: string): unknown {
  if (name === undefined) return value
  if (!isObject(target)) throw new TypeError(`--set cannot change "${path}": "${name}" is not in an object`)
  const before = hasField(target, name) ? target[name] : {}
  return withField(target, name, setAt(before, rest, value, path))
}

function withField(target: Fields, name: string, value: unknown): unknown {
  if (!Array.isArray(target)) return Object.fromEntries([...Object.entries(target), [name, value]])
  const items: unknown[] = [...target]
  items[Number(name)] = value
  return items
}

function fieldsNamed(name: string, value: unknown): readonly unknown[] {
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([field, each]) => (field === name ? [each] : fieldsNamed(name, each)))
}

function setEverywhere(target: unknown, name: string, change: (before: unknown) => unknown): unknown {
  if (!isObject(target)) return target
  if (Array.isArray(target)) return target.map((item) => setEverywhere(item, name, change))
  return Object.fromEntries(
    Object.entries(target).map(([field, before]) => [
      field,
      field === name ? change(before) : setEverywhere(before, name, change),
    ]),
  )
}

const KINDS = {
  number: 'a number',
  text: 'a text',
  boolean: 'a boolean',
  list: 'a list',
  object: 'an object',
} as const

function kindOf(value: unknown): keyof typeof KINDS {
  if (Array.isArray(value)) return 'list'
  return isText(value) ? 'text' : (typeof value as 'number' | 'boolean' | 'object')
}

/** An amount that is text. */
const DECIMAL = /^-?\d+\.\d+$/

/** The value in place of another one; undefined if that has another kind. Null takes the place of any value, and any value that of null. */
function inPlaceOf(before: unknown, value: unknown, setting: string): unknown {
  if (before === null || value === null) return value
  if (isText(before) && isText(value) && DECIMAL.test(before) && !DECIMAL.test(value)) return undefined
  if (kindOf(before) === kindOf(value)) return value
  if (isText(before) && typeof value === 'number') return decimalLike(before, value, setting)
  if (!hasField(before, 'value')) return undefined
  // An amount is an object with its currency, of which only the value is changed.
  const inner = inPlaceOf((before as Fields)['value'], value, setting)
  return inner === undefined ? undefined : { ...(before as Fields), value: inner }
}

/** The number with the decimals of a decimal text; undefined if it is another text. */
function decimalLike(before: string, value: number, setting: string): string | undefined {
  const [match, decimals = ''] = /^-?\d+(?:\.(\d+))?$/.exec(before) ?? []
  if (match === undefined) return undefined
  const text = value.toFixed(decimals.length)
  if (text.includes('e')) throw new TypeError(`--set ${setting} is too large for "${before}" of the event`)
  if (Number(text) !== value) {
    throw new TypeError(`--set ${setting} has more decimals than "${before}" of the event`)
  }
  return text
}
