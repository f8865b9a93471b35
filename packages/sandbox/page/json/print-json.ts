import type { JsonNode } from './json-tree.js'

/** A JSON value on several lines. Numbers and texts stay as they are written. */
export function printJson(node: JsonNode, indent = ''): string {
  const inner = `${indent}  `
  switch (node.kind) {
    case 'object':
      return wrapped(
        '{}',
        node.entries.map(({ key, value }) => `${inner}${key}: ${printJson(value, inner)}`),
        indent,
      )
    case 'array':
      return wrapped(
        '[]',
        node.items.map((item) => inner + printJson(item, inner)),
        indent,
      )
    default:
      return node.raw
  }
}

function wrapped(signs: '{}' | '[]', lines: readonly string[], indent: string): string {
  return lines.length === 0 ? signs : `${signs[0]!}\n${lines.join(',\n')}\n${indent}${signs[1]!}`
}
