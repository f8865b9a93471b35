import type { ComponentChildren } from 'preact'
import { useLocation } from 'preact-iso'
import { useLayoutEffect, useRef } from 'preact/hooks'
import type { ListPage as Page } from '../api/client.js'
import { listSearch } from './filters.js'
import { useKeys } from './keyboard.js'
import { currentIf, isAt, itemPath, type Identified } from './links.js'
import { Panel } from './panel.js'
import { Ago } from './times.js'

/** A column of a table. */
export interface Column<Item> {
  readonly title: string
  readonly view: (item: Item) => ComponentChildren
  readonly isNumber?: boolean
  /** Left out where there is little space. */
  readonly isWide?: boolean
  /** In a list, its share of the space that is left, or a track of the grid: "120px". Default: 1. */
  readonly width?: number | string
}

/** A text that matters less than those next to it. */
export function soft(text: ComponentChildren) {
  return <span class="soft">{text}</span>
}

/** How long ago it was made. */
export const CREATED: Column<{ readonly created: string }> = {
  title: 'Created',
  width: '84px',
  isNumber: true,
  isWide: true,
  view: ({ created }) => soft(<Ago at={created} />),
}

interface NameColumn<Item> {
  readonly title: string
  readonly width: number | string
  readonly isNumber?: boolean
  readonly section: string
  readonly name: (item: Item) => ComponentChildren
  readonly badges?: (item: Item) => ComponentChildren
  /** Where there is little space, the second line of the row: what the columns have that are left out there. */
  readonly second: (item: Item) => readonly ComponentChildren[]
  /** And a third line. */
  readonly third?: (item: Item) => ComponentChildren
}

/** The first column of a list, which is the link of the whole row. An item that is shown next to its list keeps the filters. */
export function nameColumn<Item extends Identified>(column: NameColumn<Item>): Column<Item> {
  const { title, width, isNumber = false, section, name, badges, second, third } = column
  return {
    title,
    width,
    isNumber,
    view: (item) => {
      const address = itemPath(section, item.id)
      return (
        <>
          <a
            class="row-link"
            href={section === 'deliveries' ? address + listSearch() : address}
            {...currentIf(isAt(location.pathname, address))}
          >
            {name(item)}
          </a>
          {badges?.(item)}
          <span class="second-line narrow-only">
            {second(item).map((part, index) => (index === 0 ? part : [' \u00b7 ', part]))}
          </span>
          <span class="second-line narrow-only">{third?.(item)}</span>
        </>
      )
    },
  }
}

/** The classes of the cells of a column. */
function cellClass({ isNumber, isWide }: Pick<Column<never>, 'isNumber' | 'isWide'>): string {
  return [isNumber === true && 'number', isWide === true && 'wide-only'].filter(Boolean).join(' ')
}

interface TablePanelProps<Item> {
  readonly title: string
  readonly tools?: ComponentChildren
  readonly columns: readonly Column<Item>[]
  readonly items: readonly Item[]
  /** In place of a table without rows. */
  readonly empty: string
}

/** A panel with a short table, such as what belongs to an item. A long one is a ListPage. */
export function TablePanel<Item extends Identified>(props: TablePanelProps<Item>) {
  const { title, tools, columns, items, empty } = props
  return (
    <Panel title={title} tools={tools} isFlush>
      {items.length === 0 ? (
        <p class="panel-body soft">{empty}</p>
      ) : (
        <table class="plain-table" aria-label={title}>
          <thead>
            <tr>
              {columns.map((column) => (
                <th scope="col" class={cellClass(column)} key={column.title}>
                  {column.title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {items.map((item) => (
              <tr key={item.id}>
                {columns.map((column) => (
                  <td class={cellClass(column)} key={column.title}>
                    {column.view(item)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Panel>
  )
}

/** Where each list was scrolled to, for the way back to it. */
const places = new Map<string, number>()

interface LongTableProps<Item> {
  readonly title: string
  readonly columns: readonly Column<Item>[]
  /** What is shown, which may be what was asked for before. */
  readonly page: Page<Item> | undefined
  /** What is asked for. */
  readonly path: string
}

/** The rows of a list, which scroll below their head. */
export function LongTable<Item extends Identified>(props: LongTableProps<Item>) {
  const { title, columns, page, path } = props
  const table = useRef<HTMLDivElement>(null)
  const isShown = page?.path === path
  useLayoutEffect(() => {
    if (!isShown) return
    table.current!.scrollTop = places.get(path) ?? 0
    table.current!.querySelector('.row:has([aria-current])')?.scrollIntoView({ block: 'nearest' })
  }, [path, isShown])
  useRowKeys(table)
  return (
    <div
      class="table"
      role="table"
      aria-label={title}
      aria-rowcount={(page?.count ?? 0) + 1}
      aria-busy={!isShown}
      ref={table}
      onScroll={({ currentTarget }) => places.set(path, currentTarget.scrollTop)}
      style={{ '--tracks': tracksOf(columns) }}
    >
      <div role="rowgroup" class="table-head">
        <div role="row" class="row" aria-rowindex={1}>
          {columns.map((column) => (
            <div role="columnheader" class={`cell ${cellClass(column)}`} key={column.title}>
              {column.title}
            </div>
          ))}
        </div>
      </div>
      <div role="rowgroup">
        {page?.items.map((item, index) => (
          <div role="row" class="row" aria-rowindex={index + 2} data-index={index} key={item.id}>
            {columns.map((column) => (
              <div role="cell" class={`cell ${cellClass(column)}`} key={column.title}>
                {column.view(item)}
              </div>
            ))}
          </div>
        ))}
      </div>
    </div>
  )
}

/** A number is a share of the space that is left. */
function tracksOf(columns: readonly Pick<Column<never>, 'width'>[]): string {
  return columns
    .map(({ width = 1 }) => (typeof width === 'string' ? width : `minmax(0, ${width}fr)`))
    .join(' ')
}

/** Keys that lead from row to row. If an item is shown, the next one is shown then. */
function useRowKeys(table: { readonly current: HTMLElement | null }): void {
  const { route } = useLocation()
  const go = (step: number) => () => {
    const links = [...table.current!.querySelectorAll<HTMLAnchorElement>('.row-link')]
    const shown = links.findIndex((link) => link.ariaCurrent !== null)
    const focused = links.findIndex((link) => link.closest('.row')!.contains(document.activeElement))
    const next = links[Math.min(Math.max((shown === -1 ? focused : shown) + step, 0), links.length - 1)]
    next?.focus()
    if (shown !== -1 && next !== undefined) route(next.pathname + next.search, true)
  }
  useKeys([
    ...['j', 'ArrowDown'].map((keys) => ({ keys, does: 'Next row', run: go(1) })),
    ...['k', 'ArrowUp'].map((keys) => ({ keys, does: 'Previous row', run: go(-1) })),
  ])
}
