import { WebhookError } from './errors.js'

/** Deeper than any event, and far from where a recursive reader runs out of stack. */
export const MAX_DEPTH = 512

// Kept, because making one takes longer than decoding an event; each decoding starts over. Not made before the first
// body, because Jest's jsdom has no TextDecoder, and tests there may load a module that they never call.
let decoder: InstanceType<typeof TextDecoder> | undefined

/**
 * The JSON text of a body (RFC 8259, 8.1). Bytes that are not UTF-8 are refused and not replaced, or else two bodies could
 * read alike. A byte order mark is passed over.
 */
export function decodeJson(bytes: Uint8Array): string {
  decoder ??= new TextDecoder('utf-8', { fatal: true })
  try {
    return decoder.decode(bytes)
  } catch {
    throw notJson('it is not valid UTF-8')
  }
}

/** The value of a body. The errors of `JSON.parse` quote the text, so they are not passed on. */
export function parseJson(bytes: Uint8Array): unknown {
  const text = decodeJson(bytes)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw notJson('JSON.parse refuses it')
  }
  if (isContainer(value) && isDeeperThan(MAX_DEPTH, value)) throw tooDeep()
  return value
}

export function notJson(detail: string): WebhookError {
  return new WebhookError('ERR_BODY_NOT_JSON', { detail })
}

export function tooDeep(): WebhookError {
  return notJson(`it is nested deeper than ${MAX_DEPTH} levels`)
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
