import type { FieldError } from './envelope.js'

/** As much of an error of the validator as is used. */
export interface SchemaError {
  readonly keyword: string
  readonly instancePath: string
  readonly params: Readonly<Record<string, unknown>>
  readonly message?: string
}

/** What is wrong with which field, in the words of the envelope. No value is repeated. */
export function fieldErrors(errors: readonly SchemaError[], part: string): readonly FieldError[] {
  return errors.map((error) => ({ [fieldOf(error) || part]: problemOf(error) }))
}

function fieldOf({ keyword, instancePath, params }: SchemaError): string {
  const path = instancePath.split('/').slice(1)
  const name =
    keyword === 'required'
      ? params['missingProperty']
      : keyword === 'additionalProperties'
        ? params['additionalProperty']
        : undefined
  // A name that is a number is no name, and might be that of a card.
  return [...path, ...(typeof name === 'string' && !/\d{7}/.test(name) ? [name] : [])].join('.')
}

function problemOf({ keyword, params, message }: SchemaError): string {
  switch (keyword) {
    case 'required':
      return 'is missing'
    case 'additionalProperties':
      return 'is not known here'
    case 'type':
      return `must be ${withArticle(String(params['type']))}`
    case 'enum':
      return `must be one of ${(params['allowedValues'] as readonly string[]).join(', ')}`
    default:
      return message!
  }
}

function withArticle(type: string): string {
  return `${/^[aeiou]/.test(type) ? 'an' : 'a'} ${type}`
}
