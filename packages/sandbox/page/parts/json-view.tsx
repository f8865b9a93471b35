import type { JsonEntry, JsonNode } from '../json/json-tree.js'

/** Deeper levels are closed at first. */
const OPEN_LEVELS = 4

/** A JSON value in colors, whose objects and lists can be closed. */
export function JsonView({ tree }: { readonly tree: JsonNode }) {
  return (
    <div class="json" role="group" aria-label="Body as a tree">
      <Value node={tree} level={0} />
    </div>
  )
}

function Value({
  node,
  level,
  name,
}: {
  readonly node: JsonNode
  readonly level: number
  readonly name?: string
}) {
  const label = name === undefined ? null : <Name name={name} />
  if (node.kind === 'text' || node.kind === 'number' || node.kind === 'word') {
    return (
      <div class="json-line">
        {label}
        <span class={`json-${node.kind}`}>{node.raw}</span>
      </div>
    )
  }
  const entries: readonly Partial<JsonEntry>[] =
    node.kind === 'object' ? node.entries : node.items.map((value) => ({ value }))
  const [open, close] = node.kind === 'object' ? '{}' : '[]'
  if (entries.length === 0) {
    return (
      <div class="json-line">
        {label}
        {open}
        {close}
      </div>
    )
  }
  const count = `${entries.length} ${node.kind === 'object' ? 'field' : 'item'}${entries.length === 1 ? '' : 's'}`
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
            level={level + 1}
            {...(key !== undefined && { name: key })}
          />
        ))}
      </div>
      <div class="json-close">{close}</div>
    </details>
  )
}

function Name({ name }: { readonly name: string }) {
  return (
    <>
      <span class="json-key">{name}</span>
      {': '}
    </>
  )
}
