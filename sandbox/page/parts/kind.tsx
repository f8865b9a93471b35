import type { ComponentChildren } from 'preact'
import { useLocation } from 'preact-iso'
import { useResource } from '../api/resource.js'
import { ModeBadge, StatusBadge } from './badge.js'
import { JsonText } from './body-view.js'
import { CopiedId } from './button.js'
import { ItemProblem } from './empty.js'
import { useKeys } from './keyboard.js'
import { ItemLink, listAddress, type Identified } from './links.js'
import { ListPage, type ListFilter } from './list-page.js'
import { PageHead, PaymentLink, type View } from './page-head.js'
import { Facts, Panel } from './panel.js'
import { nameColumn, soft } from './table.js'
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
  /** On the page of the item, next to the title, in place of among the facts. */
  readonly isBadge?: boolean
}

/** All that the page knows of one kind of thing: its list, and the page of an item. */
export interface Kind<Item extends Identified, Detail extends Item = Item> {
  /** In its addresses: /payments/<name>/, and /_sandbox/newest/<name>/ of the control API. */
  readonly name: string
  readonly title: string
  readonly noun: string
  /** The changes that concern it. */
  readonly changes: readonly string[]
  readonly nameOf: (item: Item) => string
  /** Whether the names are amounts, which are compared digit by digit. */
  readonly isAmount?: boolean
  /** In the list, if the name is not enough. */
  readonly label?: (item: Item) => ComponentChildren
  /** What a narrow screen shows under the name, after the time. */
  readonly hint: (item: Item) => readonly ComponentChildren[]
  readonly fields: readonly Field<Item>[]
  readonly filters: readonly ListFilter[]
  /** The line of the list while nothing is in it. */
  readonly empty: string
  readonly emptyAction?: ComponentChildren
  readonly actions?: (item: Detail) => ComponentChildren
  /** The page of the item. Default: all of its record. */
  readonly main?: (item: Detail) => ComponentChildren
}

// Fields that several kinds have.

export const ID: Field<{ readonly id: string }> = { title: 'Id', view: ({ id }) => <CopiedId id={id} /> }

export const STATUS: Field<{ readonly status: string; readonly failure: string | null }> = {
  title: 'Status',
  width: 'var(--status-track)',
  isNarrow: true,
  isBadge: true,
  view: ({ status, failure }) => (
    <span title={failure ?? undefined}>
      <StatusBadge status={status} /> {failure !== null && soft(failure)}
    </span>
  ),
}

export const CUSTOMER: Field<{ readonly customer: string | null; readonly customer_name: string | null }> = {
  title: 'Customer',
  width: 1.2,
  view: ({ customer, customer_name: name }) =>
    customer === null ? null : (
      <ItemLink section="customers" id={customer}>
        {name ?? undefined}
      </ItemLink>
    ),
}

export const MODE: Field<{ readonly is_live: boolean | null }> = {
  title: 'Mode',
  width: '52px',
  isBadge: true,
  view: ({ is_live: isLive }) => isLive !== null && <ModeBadge isLive={isLive} />,
}

interface ListProps<Item extends Identified> {
  readonly kind: Kind<Item, never>
  readonly views: readonly View[]
}

/** The list of a kind. */
export function KindList<Item extends Identified>({ kind, views }: ListProps<Item>) {
  const { noun, name, nameOf, isAmount = false, label = nameOf, hint, fields } = kind
  const { emptyAction = <PaymentLink /> } = kind
  const columns = fields.flatMap(({ width, isNarrow = false, view: viewOf, ...field }) => {
    const view = (item: Item) => {
      const shown = viewOf(item)
      return shown == null || shown === '' || shown === false ? soft('-') : shown
    }
    return width === undefined ? [] : [{ ...field, width, isWide: !isNarrow, view }]
  })
  const second = (item: Item) => ['created' in item && <Ago at={String(item.created)} />, ...hint(item)]
  const first = nameColumn<Item>({
    title: noun,
    width: isAmount ? '112px' : 1.4,
    isNumber: isAmount,
    section: name,
    name: label,
    second: (item) => second(item).filter(Boolean),
  })
  return (
    <ListPage<Item>
      {...kind}
      path={`/_sandbox/newest/${name}/`}
      kinds={kind.changes}
      columns={[first, ...columns]}
      emptyActions={emptyAction}
      actions={emptyAction}
      views={views}
    />
  )
}

interface ItemProps<Item extends Identified, Detail extends Item> {
  readonly kind: Kind<Item, Detail>
  readonly id: string
}

/** The page of one item: its facts at the side, and what belongs to it. */
export function KindItem<Item extends Identified, Detail extends Item>(props: ItemProps<Item, Detail>) {
  const { kind, id } = props
  const { name, title, noun, nameOf, fields, changes: kinds, actions } = kind
  const { main = (item) => <RecordPanel record={item} /> } = kind
  const { route } = useLocation()
  const list = listAddress(name)
  const { data, problem, reload } = useResource<Detail>(`/_sandbox/${name}/${encodeURIComponent(id)}/`, {
    kinds,
  })
  const back = () => route(list)
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
  const badges = fields.filter(({ isBadge }) => isBadge)
  const facts = fields.filter(({ isBadge }) => !isBadge)
  return (
    <>
      <PageHead
        title={nameOf(item)}
        above={above}
        badges={badges.map(({ view }) => view(item))}
        actions={actions?.(item)}
      />
      <div class="page-body item">
        <div class="item-main">{main(item)}</div>
        <div class="item-side">
          <Panel title={noun}>
            <Facts facts={facts.map((field) => [field.title, field.view(item)])} />
          </Panel>
        </div>
      </div>
    </>
  )
}

/** All that is known of an item. */
export function RecordPanel({ record }: { readonly record: object }) {
  return (
    <Panel title="Record" isFlush>
      <JsonText text={JSON.stringify(record)} />
    </Panel>
  )
}
