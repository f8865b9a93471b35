/** The type of what a JSON schema lets through, for the few words of JSON Schema that are used here. */
export type Infer<Schema> = Schema extends { readonly enum: readonly (infer Value)[] }
  ? Value
  : Schema extends { readonly type: 'string' }
    ? string
    : Schema extends { readonly type: 'number' | 'integer' }
      ? number
      : Schema extends { readonly type: 'boolean' }
        ? boolean
        : Schema extends { readonly properties: infer Properties }
          ? InferObject<Properties, RequiredOf<Schema>>
          : Schema extends { readonly type: 'object' }
            ? Readonly<Record<string, unknown>>
            : never

type RequiredOf<Schema> = Schema extends { readonly required: readonly (infer Name)[] } ? Name : never

type InferObject<Properties, Required> = {
  readonly [Name in keyof Properties as Name extends Required ? Name : never]: Infer<Properties[Name]>
} & {
  readonly [Name in keyof Properties as Name extends Required ? never : Name]?: Infer<Properties[Name]>
}
