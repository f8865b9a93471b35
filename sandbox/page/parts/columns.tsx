import type { ComponentChildren } from 'preact'
import type { PageSection } from '../../server/http/page-sections.js'
import type { PagedList } from '../api/paged-list.js'
import { ModeBadge, StatusBadge } from './badge.js'
import { customerLink, idOf, ItemLink, itemPath, type Identified, type WithCustomer } from './links.js'
import type { PlainColumn } from './plain-table.js'
import { Ago } from './times.js'

/** A column of a long list. */
export interface Column<Item> extends PlainColumn<Item> {
  /** Its share of the space that is left, or a track of the grid: "120px". */
  readonly width: number | string
  /** `previous` is the row above, if it is loaded. */
  readonly view: (item: Item, previous?: Item) => ComponentChildren
  /** In place of the title. */
  readonly head?: (list: Pick<PagedList<object>, 'ids'>) => ComponentChildren
}

/** A text that matters less than those next to it. */
export function soft(text: ComponentChildren) {
  return <span class="soft">{text}</span>
}

interface NameColumn<Item> {
  readonly title: string
  readonly width: number
  readonly section: PageSection
  readonly name: (item: Item) => ComponentChildren
  readonly isCode?: boolean
  readonly badges?: (item: Item) => ComponentChildren
  /** On narrow screens, the second line of the row: what the columns have that are left out there. */
  readonly second: (item: Item) => readonly ComponentChildren[]
}

/** The first column of a list, which is the link of the whole row. */
export function nameColumn<Item extends Identified>(column: NameColumn<Item>): Column<Item> {
  const { title, width, section, name, isCode = false, badges, second } = column
  return {
    title,
    width,
    view: (item) => (
      <>
        <a class={isCode ? 'row-link mono' : 'row-link'} href={itemPath(section, idOf(item))}>
          {name(item)}
        </a>
        {badges?.(item)}
        <span class="second-line narrow-only">
          {second(item).map((part, index) => (index === 0 ? part : [' - ', part]))}
        </span>
      </>
    ),
  }
}

/** The first column of a short table. */
export function linkColumn<Item extends Identified>(
  title: string,
  section: PageSection,
  name: (item: Item) => ComponentChildren,
): PlainColumn<Item> {
  return {
    title,
    view: (item) => (
      <ItemLink section={section} id={idOf(item)}>
        {name(item)}
      </ItemLink>
    ),
  }
}

interface WithStatus {
  readonly status: string
  readonly failure: string | null
}

/** The status, and where there is space for it, the reason of a failure. */
export function statusColumn(title: string): Column<WithStatus> {
  return {
    title,
    width: 'var(--status-track)',
    view: ({ status, failure }) => (
      <span title={failure ?? undefined}>
        <StatusBadge status={status} /> {failure !== null && <span class="soft wide-only">{failure}</span>}
      </span>
    ),
  }
}

export const CUSTOMER: Column<WithCustomer> = {
  title: 'Customer',
  width: 1.4,
  isWide: true,
  view: customerLink,
}

export const MODE: Column<{ readonly is_live: boolean | null }> = {
  title: 'Mode',
  width: '52px',
  view: ({ is_live: isLive }) => isLive !== null && <ModeBadge isLive={isLive} />,
}

/** How long ago something was. */
export function timeColumn<Item>(title: string, timeOf: (item: Item) => string): Column<Item> {
  const view = (item: Item) => soft(<Ago at={timeOf(item)} />)
  return { title, width: '84px', isNumber: true, isWide: true, view }
}

export const CREATED = timeColumn<{ readonly created: string }>('Created', ({ created }) => created)
