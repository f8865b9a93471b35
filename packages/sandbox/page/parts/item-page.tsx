import type { ComponentChildren } from 'preact'
import { useRoute } from 'preact-iso'
import { useResource } from '../api/resource.js'
import { Problem } from './empty.js'
import { useKeys } from './keyboard.js'
import { PageHead } from './page-head.js'
import { useLocation } from 'preact-iso'
import './item-page.css'

interface ItemPageProps<Item> {
  /** The name of the section in the address, and in the control API unless `path` says otherwise. */
  readonly section: string
  readonly sectionTitle: string
  readonly path?: (id: string) => string
  /** The changes that may concern the item. */
  readonly kinds: readonly string[]
  readonly title: (item: Item) => string
  readonly badges?: (item: Item) => ComponentChildren
  readonly actions?: (item: Item, reload: () => void) => ComponentChildren
  /** The facts, at the side. */
  readonly side: (item: Item) => ComponentChildren
  readonly main: (item: Item, reload: () => void) => ComponentChildren
}

/** The page of one item at its own address: facts at the side, and everything that belongs to it. */
export function ItemPage<Item>(props: ItemPageProps<Item>) {
  const { section, sectionTitle, kinds, title, badges, actions, side, main } = props
  const id = useRoute().params['id'] ?? ''
  const { route } = useLocation()
  const path = props.path ?? ((one: string) => `/_sandbox/${section}/${encodeURIComponent(one)}/`)
  const { data, problem, reload } = useResource<Item>(path(id), { kinds })
  useKeys([
    {
      keys: 'Escape',
      does: `Back to ${sectionTitle.toLowerCase()}`,
      run: () => {
        route(`/${section}/`)
      },
    },
  ])
  const item = data.value
  const above = <a href={`/${section}/`}>{sectionTitle}</a>
  if (item === undefined) {
    return (
      <>
        <PageHead title={sectionTitle} above={above} />
        {problem.value !== undefined && <Problem message={problem.value.message} onRetry={reload} />}
      </>
    )
  }
  return (
    <>
      <PageHead title={title(item)} above={above} badges={badges?.(item)} actions={actions?.(item, reload)} />
      <div class="page-body item">
        <div class="item-main">{main(item, reload)}</div>
        <div class="item-side">{side(item)}</div>
      </div>
    </>
  )
}
