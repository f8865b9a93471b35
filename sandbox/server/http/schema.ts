import Type, { type Static, type TObject, type TProperties, type TSchema } from 'typebox'

const named: TSchema[] = []

/** Every schema that has a name in the OpenAPI document, in the order in which the modules of the routes are loaded. */
export function namedSchemas(): readonly TSchema[] {
  return named
}

/** An object with these fields and no others. With `$id`, it gets a name in the OpenAPI document. */
export function exactly<Properties extends TProperties>(
  properties: Properties,
  options: { readonly $id?: string; readonly description?: string } = {},
): TObject<Properties> {
  const schema = Type.Object(properties, { ...options, additionalProperties: false })
  if (options.$id !== undefined) named.push(schema)
  return schema
}

/** A reference to a schema with an `$id`; other schemas as they are. */
export function ref<Schema extends TSchema>(schema: Schema) {
  const { $id } = schema as { $id?: string }
  return Type.Unsafe<Static<Schema>>($id === undefined ? schema : { $ref: `${$id}#` })
}

/** The same schema, for values that may also be null. */
export function orNull<Schema extends TSchema>(
  schema: Schema,
  options: { readonly description?: string } = {},
) {
  const { type, enum: values } = schema as { type?: string; enum?: readonly unknown[] }
  const allowed = values && { enum: [...values, null] }
  return Type.Unsafe<Static<Schema> | null>({ ...schema, ...options, ...allowed, type: [type, 'null'] })
}

export const text = Type.String()
export const flag = Type.Boolean()
export const whole = Type.Integer()
export const textOrNull = orNull(text)

/** A text that may be missing. */
export function optionalText(description: string) {
  return Type.Optional(Type.String({ description }))
}

/** A flag that may be missing. */
export function optionalFlag(description: string) {
  return Type.Optional(Type.Boolean({ description }))
}

/** One of these texts. */
export function oneOf<const Value extends string>(
  values: readonly Value[],
  options: { readonly description?: string } = {},
) {
  return Type.Unsafe<Value>({ type: 'string', enum: [...values], ...options })
}
