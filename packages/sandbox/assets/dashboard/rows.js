/**
 * Brings the children of an element in step with a list. A child stays the same as long as its item is there, so the
 * focus and a selection stay where they are.
 *
 * `make(item)` returns `{ element, update(item) }`; `update` is called for each item, the first time too.
 */
export function createRows(parent, keyOf, make) {
  const rows = new Map()
  return function show(items) {
    const wanted = new Set(items.map(keyOf))
    for (const [key, { element }] of rows) {
      if (wanted.has(key)) continue
      element.remove()
      rows.delete(key)
    }
    let next = parent.firstElementChild
    for (const item of items) {
      const key = keyOf(item)
      const row = rows.get(key) ?? make(item)
      rows.set(key, row)
      row.update(item)
      // To move an element takes the focus from it, so it is done only where it must be.
      if (row.element === next) next = next.nextElementSibling
      else parent.insertBefore(row.element, next)
    }
  }
}
