import type { GenericSchema } from 'valibot'

/** Whether a value is what a schema asks for. */
export type Fits = (value: unknown) => boolean

/** What the schemas of this folder are made of, as valibot lays it open. */
interface Node {
  readonly type: string
  readonly pipe?: readonly Node[]
  readonly check?: Fits
  readonly entries?: Readonly<Record<string, Node>>
  readonly item?: Node
  readonly wrapped?: Node
  readonly options?: readonly Node[]
}

/**
 * Reads a schema once into plain functions. Valibot's own run copies the value, and takes more than half as long as
 * `JSON.parse`; this takes a fifth. It is asked first, and valibot where this says no.
 *
 * @throws {TypeError} on a kind of schema that it does not know
 */
export function fitsOf(schema: GenericSchema): Fits {
  return compile(schema)
}

function compile(node: Node): Fits {
  if (node.pipe !== undefined) return all(node.pipe.map(compile))
  switch (node.type) {
    case 'string':
      return (value) => typeof value === 'string'
    case 'boolean':
      return (value) => typeof value === 'boolean'
    case 'unknown':
      return () => true
    case 'custom':
      return node.check!
    case 'nullable':
      return any([(value) => value === null, compile(node.wrapped!)])
    case 'union':
      return any(node.options!.map(compile))
    case 'array':
      return itemsFit(compile(node.item!))
    case 'object':
      return fieldsFit(Object.entries(node.entries!).map(([name, field]) => [name, compile(field)]))
    default:
      throw new TypeError(`Events have no schema of the kind ${node.type}`)
  }
}

function all(checks: readonly Fits[]): Fits {
  return (value) => {
    for (const fits of checks) if (!fits(value)) return false
    return true
  }
}

function any(checks: readonly Fits[]): Fits {
  return (value) => {
    for (const fits of checks) if (fits(value)) return true
    return false
  }
}

function itemsFit(fits: Fits): Fits {
  return (value) => {
    if (!Array.isArray(value)) return false
    for (const item of value) if (!fits(item)) return false
    return true
  }
}

/** Stands behind the check that the value is an object. */
function fieldsFit(entries: readonly (readonly [name: string, fits: Fits])[]): Fits {
  const names = entries.map(([name]) => name)
  const checks = entries.map(([, fits]) => fits)
  return (value) => {
    const fields = value as Readonly<Record<string, unknown>>
    for (let i = 0; i < names.length; i++) {
      const field = fields[names[i]!]
      // JSON has no undefined: the field is missing.
      if (field === undefined || !checks[i]!(field)) return false
    }
    return true
  }
}
