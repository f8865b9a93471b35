/** One reason why a payload does not match its schema. It repeats no value, so it is safe to log. */
export interface EventIssue {
  /** Where: `transaction.operations.0.amount.value`. Empty for the payload as a whole. */
  readonly path: string
  /** `is missing`, `must be a string, got null`. */
  readonly reason: string
}

/** The kind that a value of a payload must have, and no more: a sender that prints ids or times in another way is understood. */
export interface Schema<Value> {
  /** Called for each delivery. It copies nothing, because otherwise it would take longer than `JSON.parse`. */
  readonly fits: (value: unknown) => value is Value
  /** Called if `fits` returns false. Yields the faults field by field. */
  readonly misfits: (value: unknown, path: string) => Iterable<EventIssue>
}

export const string = simple('must be a string', (value) => typeof value === 'string')

/**
 * A string of visible ASCII characters. v1 and v2 do not sign spaces, so a space in what identifies an event would make many
 * deliveries out of one signed text.
 */
export const code: Schema<string> = {
  fits: isCode,
  *misfits(value, path) {
    yield* string.misfits(value, path)
    if (string.fits(value) && !isCode(value))
      yield { path, reason: 'must have only visible ASCII characters' }
  },
}

export const boolean = simple('must be a boolean', (value) => typeof value === 'boolean')

/** JSON can spell a number that is too large, and `JSON.parse` makes Infinity of it. Infinity is not an amount. */
export const number = simple('must be a finite number', (value): value is number => Number.isFinite(value))

/** For fields of which the specification gives no type. */
export const textOrNumber = simple(
  'must be a string or a number',
  (value): value is string | number => string.fits(value) || number.fits(value),
)

export const record = simple('must be an object', isRecord)

export const list = simple('must be an array', (value): value is unknown[] => Array.isArray(value))

export const recordOrText = simple(
  'must be an object, a string or a number',
  (value): value is Record<string, unknown> | string | number => isRecord(value) || textOrNumber.fits(value),
)

export const anything = simple('', (value): value is unknown => value !== undefined)

type Fields = Readonly<Record<string, Schema<unknown>>>
type MayBeAbsent<Value, Name extends keyof Value> =
  Partial<Pick<Value, Name>> extends Pick<Value, Name> ? true : false
/** The kind of each field that must be present. */
type Essential<Value> = {
  readonly [Name in keyof Value as MayBeAbsent<Value, Name> extends true ? never : Name]: Schema<Value[Name]>
}
/** The kind of each field that may be absent. */
type Optional<Value> = {
  readonly [Name in keyof Value as MayBeAbsent<Value, Name> extends true ? Name : never]-?: Schema<
    Exclude<Value[Name], null | undefined>
  >
}

/** Essential fields must be present, and not null; the others may be either, but not of another kind. Unlisted fields pass. */
export function object<Value>(essential: Essential<Value>, optional: Optional<Value>): Schema<Value> {
  const fields: Fields = { ...essential, ...optional }
  const [codes, required] = split(essential, code)
  const [texts, allowed] = split(optional, string)
  return {
    fits(value): value is Value & Record<string, unknown> {
      if (!isRecord(value)) return false
      for (const name of codes) if (!isCode(value[name])) return false
      for (const [name, fits] of required) if (!fits(value[name])) return false
      for (const name of texts) {
        const text = value[name]
        if (typeof text !== 'string' && text !== undefined && text !== null) return false
      }
      for (const [name, fits] of allowed) {
        const field = value[name]
        if (field !== undefined && field !== null && !fits(field)) return false
      }
      return true
    },
    *misfits(value, path) {
      yield* record.misfits(value, path)
      if (!isRecord(value)) return
      for (const [name, { misfits }] of Object.entries(fields)) {
        const isAllowed = name in optional && value[name] == null
        if (!isAllowed) yield* misfits(value[name], path === '' ? name : `${path}.${name}`)
      }
    },
  }
}

/** The names of the fields of the usual kind, which are checked without a call for each, and the checks of the others. */
function split(fields: Fields, usual: Schema<unknown>) {
  const others = Object.entries(fields).filter(([, kind]) => kind !== usual)
  return [
    Object.keys(fields).filter((name) => fields[name] === usual),
    others.map(([name, { fits }]) => [name, fits] as const),
  ] as const
}

export function arrayOf<Item>(item: Schema<Item>): Schema<Item[]> {
  const { fits } = item
  return {
    fits(value): value is Item[] {
      if (!Array.isArray(value)) return false
      for (const each of value) if (!fits(each)) return false
      return true
    },
    *misfits(value, path) {
      yield* list.misfits(value, path)
      if (!list.fits(value)) return
      for (const [index, each] of value.entries()) yield* item.misfits(each, `${path}.${index}`)
    },
  }
}

/** Whether it is an object of JSON, which an array is not. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const VISIBLE = /^[!-~]*$/

function isCode(value: unknown): value is string {
  return typeof value === 'string' && VISIBLE.test(value)
}

function simple<Value>(rule: string, fits: (value: unknown) => value is Value): Schema<Value> {
  return {
    fits,
    *misfits(value, path) {
      if (fits(value)) return
      yield { path, reason: value === undefined ? 'is missing' : `${rule}, got ${kindOf(value)}` }
    },
  }
}

function kindOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'an array'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}
