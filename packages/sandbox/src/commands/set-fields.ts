/**
 * Changes fields of a payload, each given as `path=value`. A path with a dot, or of a field at the top, is a whole path. Another
 * name is changed wherever it appears, and `amount=20` changes the value of an amount.
 *
 * @throws {TypeError} if a setting has no "=", or its path does not lead to a field
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
  if (!contains(payload, path)) {
    throw new TypeError(
      `The event has no "${path}". Give the whole path, such as --set intent.amount.value=20`,
    )
  }
  return setEverywhere(payload, path, value)
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

function contains(value: unknown, name: string): boolean {
  return (
    hasField(value, name) || (isObject(value) && Object.values(value).some((each) => contains(each, name)))
  )
}

function setEverywhere(target: unknown, name: string, value: unknown): unknown {
  if (!isObject(target)) return target
  if (Array.isArray(target)) return target.map((item) => setEverywhere(item, name, value))
  return Object.fromEntries(
    Object.entries(target).map(([field, before]) => [
      field,
      field === name ? inPlaceOf(before, value) : setEverywhere(before, name, value),
    ]),
  )
}

/** An amount is an object with its currency, of which only the value is changed. */
function inPlaceOf(before: unknown, value: unknown): unknown {
  return hasField(before, 'value') && !isObject(value) ? { ...(before as Fields), value } : value
}
