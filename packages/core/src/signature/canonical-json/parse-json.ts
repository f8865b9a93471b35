import { decodeJson, MAX_DEPTH, notJson, tooDeep } from './document.js'

/** The value of a body. The errors of `JSON.parse` quote the text, so they are not passed on. */
export function parseJson(bytes: Uint8Array): unknown {
  const text = decodeJson(bytes)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw notJson('JSON.parse refuses it')
  }
  if (hasManyBrackets(text) && isContainer(value) && isDeeperThan(MAX_DEPTH, value)) throw tooDeep()
  return value
}

/** Whether a text has enough opening brackets, in strings too, to be nested too deep. To walk a value takes twice as long. */
function hasManyBrackets(text: string): boolean {
  let count = 0
  for (const bracket of ['{', '[']) {
    for (let at = text.indexOf(bracket); at !== -1; at = text.indexOf(bracket, at + 1)) {
      if (++count > MAX_DEPTH) return true
    }
  }
  return false
}

function isDeeperThan(levels: number, container: object): boolean {
  if (levels === 0) return true
  if (Array.isArray(container)) {
    for (const item of container) if (isContainer(item) && isDeeperThan(levels - 1, item)) return true
    return false
  }
  // Not Object.values: the list it makes costs more than the walk.
  for (const key in container) {
    const field: unknown = container[key as keyof typeof container]
    if (isContainer(field) && isDeeperThan(levels - 1, field)) return true
  }
  return false
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
