import * as v from 'valibot'

/**
 * What both shapes are made of. The schemas say what S6.6 says and no more: ids, times and decimals are strings there,
 * and a sender that prints them in another way is still understood. A field is required, and null only where S6.6
 * says so. Fields that it does not list pass, and stay in the payload.
 */

/** An array is no object here, though JavaScript and valibot say so. */
export const record = v.custom<Record<string, unknown>>(isRecord, 'must be an object')

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** An object with these fields, and maybe others. */
export function object<const Entries extends v.ObjectEntries>(entries: Entries) {
  return v.pipe(record, v.object(entries))
}

export const string = v.string('must be a string')

export const boolean = v.boolean('must be a boolean')

/** JSON can spell a number that is too large, and `JSON.parse` makes Infinity of it. That is no amount. */
export const number = v.custom<number>(Number.isFinite, 'must be a finite number')

export const list = v.array(v.unknown(), 'must be an array')

export function arrayOf<const Item extends v.GenericSchema>(item: Item) {
  return v.array(item, 'must be an array')
}

/** A string whose values S3 has seen in part: the types offer those, and any other is as good. */
export function seen<Value extends string>(): v.GenericSchema<Value | (string & Record<never, never>)> {
  return string
}

export const customFields = v.nullable(record)

export const amount = object({ value: number, currency: string })
