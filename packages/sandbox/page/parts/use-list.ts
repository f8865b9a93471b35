import { useEffect, useMemo } from 'preact/hooks'
import { useChanges } from '../api/changes.js'
import { PagedList, type PagedListOptions } from '../api/paged-list.js'

/** The lists that were shown last, so that the way back leads to the same rows. */
const kept = new Map<string, PagedList<object>>()
const MAX_KEPT = 8

/**
 * A list for as long as a page is shown, which follows the changes of these kinds.
 *
 * @example const list = useList<Intent>({ path: '/_sandbox/newest/intents/', query: filters }, ['intent'])
 */
export function useList<Item extends object>(
  options: PagedListOptions,
  kinds: readonly string[],
  idOf: (item: Item) => string = idOfItem,
): PagedList<Item> {
  const key = JSON.stringify(options)
  const list = useMemo(() => {
    const found = (kept.get(key) as PagedList<Item> | undefined) ?? new PagedList<Item>(options, idOf)
    kept.delete(key)
    kept.set(key, found as unknown as PagedList<object>)
    for (const oldest of [...kept.keys()].slice(0, -MAX_KEPT)) kept.delete(oldest)
    return found
  }, [key])
  useEffect(() => {
    list.refresh()
    return () => {
      list.end()
    }
  }, [list])
  useChanges(kinds, ({ kind }) => {
    if (kind === 'reset') list.reload()
    else list.refresh()
  })
  return list
}

/** Nearly every item has an id; a list of others has a function for it. */
function idOfItem(item: { readonly id?: string }): string {
  return item.id!
}
