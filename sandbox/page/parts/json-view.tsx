import type { ComponentChildren } from 'preact'
import { useMemo } from 'preact/hooks'
import { countText } from '../format.js'
import { printJson, readJson, type JsonEntry, type JsonNode } from '../json/json-tree.js'

/** Deeper levels are closed at first. */
const OPEN_LEVELS = 4

/** A JSON value in colors, whose objects and lists can be closed. */
export function JsonView({
  tree,
  signed,
}: {
  readonly tree: JsonNode
  readonly signed?: JsonNode | undefined
}) {
  return (
    <div class="json" role="group" aria-label="Body as a tree">
      <Value node={tree} signed={signed} level={0} />
    </div>
  )
}

/** A value as a tree. */
export function JsonText({ value }: { readonly value: unknown }) {
  const text = JSON.stringify(value)
  const read = useMemo(() => readJson(text), [text])
  return 'tree' in read ? <JsonView tree={read.tree} /> : <pre class="code">{text}</pre>
}

interface ValueProps {
  readonly node: JsonNode
  /** What was signed in its place: the value is marked if it is another one. */
  readonly signed?: JsonNode | undefined
  readonly level: number
  readonly name?: string | undefined
}

function Value({ node, signed, level, name }: ValueProps) {
  const label = name !== undefined && (
    <>
      <span class="json-key">{name}</span>
      {': '}
    </>
  )
  const line = (text: ComponentChildren) => (
    <div class="json-line">
      {label}
      {text}
    </div>
  )
  if (node.kind === 'text' || node.kind === 'number' || node.kind === 'word') {
    const text = <span class={`json-${node.kind}`}>{node.raw}</span>
    if (signed === undefined || printJson(signed) === node.raw) return line(text)
    return line(<mark title={`Signed: ${printJson(signed)}`}>{text}</mark>)
  }
  const isObject = node.kind === 'object'
  const entries: readonly Partial<JsonEntry>[] = isObject
    ? node.entries
    : node.items.map((value) => ({ value }))
  const [open, close] = isObject ? '{}' : '[]'
  if (entries.length === 0) return line(`${open}${close}`)
  const count = isObject
    ? countText(entries.length, 'field', 'fields')
    : countText(entries.length, 'item', 'items')
  return (
    <details class="json-branch" open={level < OPEN_LEVELS}>
      <summary>
        {label}
        {open}
        <span class="json-count">
          {count} {close}
        </span>
      </summary>
      <div class="json-inner">
        {entries.map(({ key, value }, index) => (
          <Value
            key={key ?? index}
            node={value!}
            signed={signed && partOf(signed, key ?? index)}
            level={level + 1}
            name={key}
          />
        ))}
      </div>
      <div class="json-close">{close}</div>
    </details>
  )
}

function partOf(node: JsonNode, place: string | number): JsonNode | undefined {
  if (node.kind === 'array') return node.items[Number(place)]
  return node.kind === 'object' ? node.entries.find(({ key }) => key === place)?.value : undefined
}
