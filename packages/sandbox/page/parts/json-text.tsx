import { useMemo } from 'preact/hooks'
import { readJson } from '../json/json-tree.js'
import { JsonView } from './json-view.js'

/** A value as a tree. */
export function JsonText({ value }: { readonly value: unknown }) {
  const text = JSON.stringify(value)
  const read = useMemo(() => readJson(text), [text])
  return 'tree' in read ? <JsonView tree={read.tree} /> : <pre class="code">{text}</pre>
}
