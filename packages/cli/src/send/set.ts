import { printBody, type BodyStyle } from '@service-signature/core/testing'
import { UsageError } from '../exit.js'

/** `path=value` of the command line, taken apart. */
export interface Setting {
  readonly path: readonly string[]
  /** JSON, as it was written; or text. */
  readonly value: { readonly json: string } | { readonly text: string }
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
  return { path, value: isJson(value) ? { json: value } : { text: value } }
}

/**
 * The body with these changes. JSON appears as it was written: `10.0` is not `10` to a signature. All else is printed in the
 * style of the body.
 *
 * @throws {UsageError} on a path that leads through a text or a number, or past the end of an array
 */
export function textWith(payload: object, settings: readonly Setting[], style: BodyStyle): string {
  const changed = settings.reduce<unknown>(
    (whole, { path, value }, i) => replaced(whole, path, 'text' in value ? value.text : marker(i)),
    payload,
  )
  return settings.reduce(
    (text, { value }, i) =>
      'json' in value ? text.replace(JSON.stringify(marker(i)), () => value.json) : text,
    printBody(changed, style),
  )
}

/** Stands for JSON until the body is printed. No argument of a command line can hold the character. */
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
