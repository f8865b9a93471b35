import { UsageError } from '../exit.js'

/** `path=value` of the command line, taken apart. */
export interface Setting {
  readonly path: readonly string[]
  /** JSON, as it was written. */
  readonly json: string
}

/** `intent.amount.value=10.0`. A value that is not JSON is text. */
export function parseSetting(text: string): Setting {
  const equals = text.indexOf('=')
  const path = text.slice(0, Math.max(equals, 0)).split('.')
  if (path.includes('')) {
    throw new UsageError(
      `--set must be path=value, such as intent.amount.value=10.0, and is ${JSON.stringify(text)}.`,
    )
  }
  const value = text.slice(equals + 1)
  return { path, json: isJson(value) ? value : JSON.stringify(value) }
}

/**
 * The JSON text of the payload with these changes. Each value appears as it was written: `10.0` is not `10` to
 * a signature.
 *
 * @throws {UsageError} on a path that leads through a text or a number, or past the end of an array
 */
export function textWith(payload: object, settings: readonly Setting[]): string {
  const changed = settings.reduce<unknown>((value, { path }, i) => replaced(value, path, marker(i)), payload)
  return settings.reduce(
    (text, { json }, i) => text.replace(JSON.stringify(marker(i)), () => json),
    JSON.stringify(changed),
  )
}

/** Stands for a value until the text is made. No argument of a command line can hold the character. */
function marker(index: number): string {
  return `\0${index}\0`
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

function replaced(value: unknown, path: readonly string[], leaf: string): unknown {
  const [name, ...rest] = path
  if (name === undefined) return leaf
  if (value === undefined) return { [name]: replaced(undefined, rest, leaf) }
  if (typeof value !== 'object' || value === null) {
    throw new UsageError(`--set cannot set "${path.join('.')}": its parent is not an object.`)
  }
  if (Array.isArray(value)) return replacedItem(value, path, leaf)
  const own = Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined
  // From entries, so that a field named __proto__ is a field.
  return Object.fromEntries([...Object.entries(value), [name, replaced(own, rest, leaf)]])
}

function replacedItem(items: readonly unknown[], [name, ...rest]: readonly string[], leaf: string): unknown {
  const index = Number(name)
  if (!/^\d+$/.test(name!) || index > items.length) {
    throw new UsageError(
      `--set cannot go to "${name!}" of an array: it has ${items.length} items, from 0; the next number adds one.`,
    )
  }
  const copy = [...items]
  copy[index] = replaced(items[index], rest, leaf)
  return copy
}
