import type { ComponentChildren } from 'preact'
import { useLocation } from 'preact-iso'
import { useResource } from '../api/resource.js'
import type { HistoryEntry } from '../api/types.js'
import { ModeBadge, StatusBadge } from './badge.js'
import { CopiedId } from './button.js'
import { ItemProblem } from './empty.js'
import { useKeys } from './keyboard.js'
import { ItemLink, listAddress, type Identified } from './links.js'
import { ListPage, type ListFilter } from './list-page.js'
import { PageHead, PaymentLink, type View } from './page-head.js'
import { Facts, History, Panel } from './panel.js'
import { CREATED as CREATED_COLUMN, linkColumn, nameColumn, soft, TablePanel } from './table.js'
import { Ago } from './times.js'

/** Something that an item has: a fact on its page, and perhaps a column of the list. */
export interface Field<Item> {
  readonly title: string
  readonly view: (item: Item) => ComponentChildren
  /** Its share of the space in the list, or a track of the grid. Without it, the list leaves it out. */
  readonly width?: number | string
  readonly isNumber?: boolean
  /** Whether a narrow screen has space for it in the list. */
  readonly isNarrow?: boolean
  /** Whether short tables of other items show it. */
  readonly isShort?: boolean
  /** On the page of the item, next to the title, or nowhere, in place of among the facts. */
  readonly onPage?: 'badge' | 'nowhere'
}

interface WithHistory {
  readonly history?: readonly HistoryEntry[]
}

/** All that the page knows of one kind of thing: its list, and the page of an item. */
export interface Kind<Item extends Identified, Detail extends Item & WithHistory> {
  /** In the address: /payments/<name>/. */
  readonly name: string
  readonly title: string
  readonly noun: string
  /** Its name in the control API. */
  readonly path: string
  /** Where the control API has the list. Default: among the newest. */
  readonly listPath?: string
  /** The changes that concern it. */
  readonly changes: readonly string[]
  readonly nameOf: (item: Item) => string
  /** In the list, if the name is not enough. */
  readonly label?: (item: Item) => ComponentChildren
  /** What a narrow screen shows under the name, with the time. */
  readonly hint: (item: Item) => string | null
  readonly fields: readonly Field<Item>[]
  readonly filters: readonly ListFilter[]
  /** The line of the list while nothing is in it. */
  readonly empty: string
  readonly emptyAction?: ComponentChildren
  readonly actions?: (item: Detail) => ComponentChildren
  /** What belongs to the item, on its page. Default: what happened. */
  readonly main?: (item: Detail, reload: () => void) => ComponentChildren
}

// Fields that several kinds have.

export const ID: Field<{ readonly id: string }> = { title: 'Id', view: ({ id }) => <CopiedId id={id} /> }

export const STATUS: Field<{ readonly status: string; readonly failure: string | null }> = {
  title: 'Status',
  width: 'var(--status-track)',
  isNarrow: true,
  isShort: true,
  onPage: 'badge',
  view: ({ status, failure }) => (
    <span title={failure ?? undefined}>
      <StatusBadge status={status} /> {failure !== null && soft(failure)}
    </span>
  ),
}

export const CUSTOMER: Field<{ readonly customer: string | null; readonly customer_name: string | null }> = {
  title: 'Customer',
  width: 1.4,
  view: ({ customer, customer_name: name }) =>
    customer === null ? null : (
      <ItemLink section="customers" id={customer}>
        {name ?? undefined}
      </ItemLink>
    ),
}

export const ACCOUNT: Field<{ readonly account: string | null }> = {
  title: 'Account',
  view: ({ account }) => account && <code>{account}</code>,
}

export const MODE: Field<{ readonly is_live: boolean | null }> = {
  title: 'Mode',
  width: '52px',
  onPage: 'badge',
  view: ({ is_live: isLive }) => isLive !== null && <ModeBadge isLive={isLive} />,
}

export const CREATED: Field<{ readonly created: string }> = {
  ...CREATED_COLUMN,
  isShort: true,
  view: ({ created }) => <Ago at={created} />,
}

interface ListProps<Item extends Identified> {
  readonly kind: Kind<Item, never>
  readonly views: readonly View[]
}

/** The list of a kind. */
export function KindList<Item extends Identified>({ kind, views }: ListProps<Item>) {
  const { noun, name, nameOf, label = nameOf, hint, fields, emptyAction = <PaymentLink /> } = kind
  const columns = fields.flatMap(({ width, isNarrow = false, view: viewOf, ...field }) => {
    const view = (item: Item) => {
      const shown = viewOf(item)
      return shown === null || shown === '' || shown === false ? soft('-') : shown
    }
    return width === undefined ? [] : [{ ...field, width, isWide: !isNarrow, view }]
  })
  const second = (item: Item) => ['created' in item && <Ago at={String(item.created)} />, hint(item)]
  const first = nameColumn<Item>({
    title: noun,
    width: 1.4,
    section: name,
    name: label,
    second: (item) => second(item).filter(Boolean),
  })
  return (
    <ListPage<Item>
      {...kind}
      path={kind.listPath ?? `/_sandbox/newest/${kind.path}/`}
      kinds={kind.changes}
      columns={[first, ...columns]}
      emptyActions={emptyAction}
      actions={emptyAction}
      views={views}
    />
  )
}

interface ItemProps<Item extends Identified, Detail extends Item & WithHistory> {
  readonly kind: Kind<Item, Detail>
  readonly id: string
}

/** The page of one item: its facts at the side, and what belongs to it. */
export function KindItem<Item extends Identified, Detail extends Item & WithHistory>(
  props: ItemProps<Item, Detail>,
) {
  const { kind, id } = props
  const { path, title, noun, nameOf, fields, changes: kinds, actions } = kind
  const { main = ({ history = [] }) => <History entries={history} /> } = kind
  const { route } = useLocation()
  const list = listAddress(kind.name)
  const { data, problem, reload } = useResource<Detail>(`/_sandbox/${path}/${encodeURIComponent(id)}/`, {
    kinds,
  })
  const back = () => {
    route(list)
  }
  useKeys([{ keys: 'Escape', does: `Back to ${title.toLowerCase()}`, run: back }])
  const above = <a href={list}>{title}</a>
  const item = data.value
  if (item === undefined) {
    return (
      <>
        <PageHead title={title} above={above} />
        {problem.value !== undefined && (
          <ItemProblem error={problem.value} onRetry={reload} noun={noun} list={list} />
        )}
      </>
    )
  }
  const badges = fields.filter(({ onPage }) => onPage === 'badge')
  const facts = fields.filter(({ onPage }) => onPage === undefined)
  return (
    <>
      <PageHead
        title={nameOf(item)}
        above={above}
        badges={badges.map(({ view }) => view(item))}
        actions={actions?.(item)}
      />
      <div class="page-body item">
        <div class="item-main">{main(item, reload)}</div>
        <div class="item-side">
          <Panel title={noun}>
            <Facts facts={facts.map((field) => [field.title, field.view(item)])} />
          </Panel>
        </div>
      </div>
    </>
  )
}

interface RelatedProps<Item extends Shown, Shown extends Identified> {
  readonly kind: Pick<Kind<Item, never>, 'name' | 'noun' | 'nameOf' | 'fields'>
  readonly title: string
  readonly items: readonly Shown[]
  readonly empty: string
}

/** A short table of items of a kind that belong to another item. */
export function Related<Item extends Shown, Shown extends Identified>(props: RelatedProps<Item, Shown>) {
  const { kind, title, items, empty } = props
  const columns = [
    linkColumn<Item>(kind.noun, kind.name, kind.nameOf),
    ...kind.fields
      .filter(({ isShort }) => isShort)
      .map((field) => ({ ...field, isWide: field.isNarrow !== true })),
  ]
  // These items lack what only the list of the kind adds, such as names of customers. No short table shows that.
  return <TablePanel title={title} columns={columns} items={items as readonly Item[]} empty={empty} />
}
