import type { ComponentChildren } from 'preact'
import { useLocation, useRoute } from 'preact-iso'
import { useResource } from '../api/resource.js'
import { GROUPS } from '../sections.js'
import { ItemProblem } from './empty.js'
import { JsonText } from './body-view.js'
import { useKeys } from './keyboard.js'
import { PageHead } from './page-head.js'
import { Facts, Panel, type Fact } from './panel.js'
import './item-page.css'

interface ItemDefinition<Item> {
  /** Where the control API has the items. */
  readonly path: string
  /** The changes that may concern the item. */
  readonly kinds: readonly string[]
  readonly title: (item: Item) => string
  readonly badges: (item: Item) => ComponentChildren
  readonly actions?: (item: Item) => ComponentChildren
  /** What the item is: the heading of its facts, which are at the side. */
  readonly noun: string
  readonly facts: (item: Item) => readonly Fact[]
  /** Fields of the merchant's own, below the facts. */
  readonly customFields?: (item: Item) => object | null
  readonly main: (item: Item, reload: () => void) => ComponentChildren
}

const SECTIONS = GROUPS.flatMap(({ sections }) => sections)

/** The page of one item of a section. */
export function itemPage<Item>(definition: ItemDefinition<Item>) {
  return () => <ItemPage {...definition} />
}

/** The facts of an item at the side, and everything that belongs to it. */
function ItemPage<Item>(props: ItemDefinition<Item>) {
  const { kinds, title, badges, actions, noun, facts, customFields, main } = props
  const { route } = useLocation()
  const { path, params } = useRoute()
  // By the address, because card token intents are in two sections.
  const section = SECTIONS.find(({ name }) => path.startsWith(`/${name}/`))!
  const list = `/${section.name}/`
  const id = encodeURIComponent(params['id'] ?? '')
  const { data, problem, reload } = useResource<Item>(`${props.path}${id}/`, { kinds })
  useKeys([
    {
      keys: 'Escape',
      does: `Back to ${section.title.toLowerCase()}`,
      run: () => {
        route(list)
      },
    },
  ])
  const above = <a href={list}>{section.title}</a>
  const item = data.value
  if (item === undefined) {
    return (
      <>
        <PageHead title={section.title} above={above} />
        {problem.value !== undefined && (
          <ItemProblem error={problem.value} onRetry={reload} noun={noun} list={list} />
        )}
      </>
    )
  }
  const custom = customFields?.(item) ?? null
  return (
    <>
      <PageHead title={title(item)} above={above} badges={badges(item)} actions={actions?.(item)} />
      <div class="page-body item">
        <div class="item-main">{main(item, reload)}</div>
        <div class="item-side">
          <Panel title={noun}>
            <Facts facts={facts(item)} />
          </Panel>
          {custom !== null && (
            <Panel title="Custom fields" isFlush>
              <JsonText text={JSON.stringify(custom)} />
            </Panel>
          )}
        </div>
      </div>
    </>
  )
}
