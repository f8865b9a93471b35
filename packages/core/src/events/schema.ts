/** What keeps a payload from being of its shape. It repeats no value, so it is fit for a log. */
export interface EventIssue {
  /** Where: `transaction.operations.0.amount.value`. Empty for the payload as a whole. */
  readonly path: string
  /** `is missing`, `must be a string, and is null`. */
  readonly reason: string
}

/**
 * What a value of a payload has to be. The schemas of this folder say what S6.6 says and no more: ids, times and decimals
 * are strings there, and a sender that prints them in another way is still understood. A field is required, and null only
 * where S6.6 says so. Fields that it does not list pass, and stay in the payload.
 */
export interface Schema<Value> {
  /** Asked for each delivery: it copies nothing, or else it would take longer than `JSON.parse`. */
  readonly fits: (value: unknown) => value is Value
  /** Asked where `fits` says no: what is wrong, field by field. */
  readonly misfits: (value: unknown, path: string) => Iterable<EventIssue>
}

/** The type of the values that fit. */
export type Infer<Kind extends Schema<unknown>> = Kind extends Schema<infer Value> ? Value : never

export const string = simple('must be a string', (value) => typeof value === 'string')

export const boolean = simple('must be a boolean', (value) => typeof value === 'boolean')

/** JSON can spell a number that is too large, and `JSON.parse` makes Infinity of it. That is no amount. */
export const number = simple('must be a finite number', (value): value is number => Number.isFinite(value))

export const record = simple('must be an object', isRecord)

export const list = simple('must be an array', (value): value is unknown[] => Array.isArray(value))

/** JSON has no undefined: what is undefined is missing. */
export const anything = simple('', (value): value is unknown => value !== undefined)

/** A string whose values S3 has seen in part: the types offer those, and any other is as good. */
export function seen<Value extends string>(): Schema<Value | (string & Record<never, never>)> {
  return string
}

/** An object with these fields, and maybe others. */
export function object<const Fields extends Readonly<Record<string, Schema<unknown>>>>(
  fields: Fields,
): Schema<{ -readonly [Name in keyof Fields]: Infer<Fields[Name]> }> {
  type Value = { -readonly [Name in keyof Fields]: Infer<Fields[Name]> }
  const names = Object.keys(fields)
  // Most fields are strings, and those take no call.
  const texts = names.filter((name) => fields[name] === string)
  const others = names.filter((name) => fields[name] !== string)
  const checks = others.map((name) => fields[name]!.fits)
  return {
    fits(value): value is Value {
      if (!isRecord(value)) return false
      for (const name of texts) if (typeof value[name] !== 'string') return false
      for (let i = 0; i < others.length; i++) if (!checks[i]!(value[others[i]!])) return false
      return true
    },
    *misfits(value, path) {
      yield* record.misfits(value, path)
      if (!isRecord(value)) return
      for (const [name, field] of Object.entries(fields)) {
        yield* field.misfits(value[name], path === '' ? name : `${path}.${name}`)
      }
    },
  }
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

export function nullable<Value>({ fits, misfits }: Schema<Value>): Schema<Value | null> {
  return {
    fits: (value) => value === null || fits(value),
    misfits: (value, path) => (value === null ? [] : misfits(value, path)),
  }
}

/** The object, or `{}` as long as nothing is known. */
export function orEmpty<Value extends object>({
  fits,
  misfits,
}: Schema<Value>): Schema<Value | { readonly [Field in keyof Value]?: undefined }> {
  return {
    fits: (value): value is Value => fits(value) || isEmpty(value),
    misfits: (value, path) => (isEmpty(value) ? [] : misfits(value, path)),
  }
}

/** An array is no object here, though JavaScript says so. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isEmpty(value: unknown): boolean {
  return isRecord(value) && Object.keys(value).length === 0
}

function simple<Value>(rule: string, fits: (value: unknown) => value is Value): Schema<Value> {
  return {
    fits,
    *misfits(value, path) {
      if (fits(value)) return
      yield { path, reason: value === undefined ? 'is missing' : `${rule}, and is ${kindOf(value)}` }
    },
  }
}

function kindOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'an array'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}
