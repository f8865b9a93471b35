import type { JsonNode } from './json-tree.js'

/** One field of two JSON texts. A side without it is undefined. */
export interface FieldPair {
  /** Such as `data.items[0].amount`. */
  readonly path: string
  readonly left: string | undefined
  readonly right: string | undefined
}

/** Every field of both, in the order of the first one; those that only the second has come last. */
export function pairFields(left: JsonNode, right: JsonNode): readonly FieldPair[] {
  const first = fieldsOf(left)
  const second = fieldsOf(right)
  const paths = new Set([...first.keys(), ...second.keys()])
  return [...paths].map((path) => ({ path, left: first.get(path), right: second.get(path) }))
}

/** Each value that is not a list or an object, by its path. Of a name that occurs twice, the last one counts. */
function fieldsOf(tree: JsonNode): ReadonlyMap<string, string> {
  const fields = new Map<string, string>()
  function collect(node: JsonNode, path: string): void {
    if (node.kind === 'object' && node.entries.length > 0) {
      for (const { key, value } of node.entries) collect(value, joined(path, key))
    } else if (node.kind === 'array' && node.items.length > 0) {
      node.items.forEach((item, index) => {
        collect(item, `${path}[${index}]`)
      })
    } else fields.set(path, rawOf(node))
  }
  collect(tree, '')
  return fields
}

function rawOf(node: JsonNode): string {
  if (node.kind === 'object') return '{}'
  return node.kind === 'array' ? '[]' : node.raw
}

/** A name that is not a plain word keeps its quotes. */
function joined(path: string, key: string): string {
  const name = key.slice(1, -1)
  if (!/^\w+$/.test(name)) return `${path}[${key}]`
  return path === '' ? name : `${path}.${name}`
}
