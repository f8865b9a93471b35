import type { ComponentChildren } from 'preact'
import { useLocation } from 'preact-iso'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { getPage, type ListPage as Page } from '../api/client.js'
import { useResource } from '../api/resource.js'
import { Button } from './button.js'
import { soft, type Column } from './columns.js'
import { Empty, Problem } from './empty.js'
import { FilterSelect, SearchField, useFilters, type FilterOptions } from './filters.js'
import { useKeys } from './keyboard.js'
import { idOf, type Identified } from './links.js'
import { PageHead, type View } from './page-head.js'
import { cellClass } from './plain-table.js'

const PAGE = 100

export interface ListFilter {
  /** Its name in the address and in the control API. */
  readonly name: string
  readonly label: string
  /** Without these, only links set the filter, and it is shown while it is set. */
  readonly options?: FilterOptions
}

export const MODE_FILTER: ListFilter = {
  name: 'is_live',
  label: 'Mode',
  options: [
    ['false', 'Test mode'],
    ['true', 'Live mode'],
  ],
}

export interface ListDefinition<Item> {
  readonly title: string
  readonly path: string
  /** The changes after which it is loaded again. */
  readonly kinds: readonly string[]
  readonly columns: readonly Column<Item>[]
  readonly filters: readonly ListFilter[]
  /** The line of the list while nothing is in it. */
  readonly empty: string
  /** What to do then. */
  readonly emptyActions?: ComponentChildren
  /** The line when no item has what the filters ask for. */
  readonly nothingFound?: string
  readonly actions?: ComponentChildren
  readonly views?: readonly View[]
  /** Parameters besides the filters. */
  readonly query?: Readonly<Record<string, string>>
  readonly rowClass?: ((item: Item, previous: Item | undefined) => string) | undefined
}

/** A list with a search and filters, which are kept in the address. It shows a hundred rows at once. */
export function ListPage<Item extends Identified>(props: ListDefinition<Item>) {
  const { title, filters, actions, views } = props
  const [values, setFilter, clear] = useFilters()
  const set = ['search', ...filters.map(({ name }) => name)].filter((name) => values[name] !== undefined)
  const { until, offset = '0' } = values
  const query = new URLSearchParams({ limit: String(PAGE), ...props.query })
  for (const name of [...set, 'until', 'offset']) {
    if (values[name] !== undefined) query.set(name, values[name].trim())
  }
  const path = `${props.path}?${query.toString()}`
  const { data, problem, reload } = useResource(path, {
    kinds: props.kinds,
    load: getPage<Item>,
    isKept: true,
  })
  const bound = (name: string) => ({
    value: values[name],
    onChoose: (value: string | undefined) => {
      setFilter(name, value)
    },
  })
  const { nothingFound = `Nothing in ${title.toLowerCase()} fits these filters.` } = props
  const page = data.value
  return (
    <>
      <PageHead
        title={title}
        badges={page !== undefined && soft(page.count.toLocaleString('en'))}
        actions={actions}
        views={views}
      />
      <div class="filter-bar" role="search">
        <SearchField label={`Search ${title.toLowerCase()}`} {...bound('search')} />
        <div class="filters">
          {filters.map(({ name, label, options = [] }) => {
            const isShown = options.length > 0 || values[name] !== undefined
            return isShown && <FilterSelect key={name} label={label} options={options} {...bound(name)} />
          })}
          {set.length > 0 && (
            <Button kind="quiet" onPress={clear}>
              Clear
            </Button>
          )}
        </div>
      </div>
      {page === undefined && problem.value !== undefined ? (
        <Problem message={problem.value.message} onRetry={until === undefined ? reload : clear} />
      ) : (
        <Table {...props} page={page} path={path} offset={Number(offset)} />
      )}
      {page?.count === 0 &&
        (set.length > 0 ? (
          <Empty title={nothingFound}>
            <Button onPress={clear}>Clear the filters</Button>
          </Empty>
        ) : (
          <Empty title={props.empty}>{props.emptyActions}</Empty>
        ))}
      {page !== undefined && page.count > PAGE && <Pager page={page} offset={Number(offset)} />}
    </>
  )
}

interface PagerProps {
  readonly page: Page<Identified>
  readonly offset: number
}

/** Leads to older rows, and back. The list ends at its newest row of now, so that new ones do not move the older ones. */
function Pager({ page: { items, count }, offset }: PagerProps) {
  const { path, query } = useLocation()
  const first = items[0] === undefined ? '' : idOf(items[0])
  const link = (title: string, to: number) => {
    const { until = first, ...others }: Readonly<Record<string, string>> = query
    const place = to > 0 ? { ...others, until, offset: String(to) } : { ...others, until: '', offset: '' }
    const search = new URLSearchParams(Object.entries(place).filter(([, value]) => value !== ''))
    return (
      <a
        class="button small"
        href={`${path.replace(/\/*$/, '/')}${search.size > 0 ? '?' : ''}${search.toString()}`}
      >
        {title}
      </a>
    )
  }
  return (
    <nav class="pager" aria-label="Rows">
      <span class="soft">
        {(offset + 1).toLocaleString('en')} to {(offset + items.length).toLocaleString('en')} of{' '}
        {count.toLocaleString('en')}
      </span>
      {offset > 0 && link('Newer', offset - PAGE)}
      {offset + PAGE < count && link('Older', offset + PAGE)}
    </nav>
  )
}

/** Where each list was scrolled to, for the way back to it. */
const places = new Map<string, number>()

interface TableProps<Item> extends Pick<ListDefinition<Item>, 'title' | 'columns' | 'rowClass'> {
  /** What is shown, which may be what was asked for before. */
  readonly page: Page<Item> | undefined
  /** What is asked for. */
  readonly path: string
  readonly offset: number
}

function Table<Item extends Identified>(props: TableProps<Item>) {
  const { title, columns, rowClass, page, path, offset } = props
  const table = useRef<HTMLDivElement>(null)
  const isShown = page?.path === path
  const items = page?.items ?? []
  useLayoutEffect(() => {
    if (isShown) table.current!.scrollTop = places.get(path) ?? 0
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
      style={{ '--tracks': tracksOf(columns), '--narrow-tracks': tracksOf(columns.filter(isNarrow)) }}
    >
      <div role="rowgroup" class="table-head">
        <div role="row" class="row" aria-rowindex={1}>
          {columns.map((column) => (
            <div role="columnheader" class={`cell ${cellClass(column)}`} key={column.title}>
              {column.head === undefined ? column.title : column.head(items)}
            </div>
          ))}
        </div>
      </div>
      <div role="rowgroup">
        {items.map((item, index) => (
          <div
            role="row"
            class={`row ${rowClass?.(item, items[index - 1]) ?? ''}`}
            aria-rowindex={offset + index + 2}
            data-index={index}
            key={idOf(item)}
          >
            {columns.map((column) => (
              <div role="cell" class={`cell ${cellClass(column)}`} key={column.title}>
                {column.view(item, items[index - 1])}
              </div>
            ))}
          </div>
        ))}
      </div>
    </div>
  )
}

function isNarrow({ isWide }: Pick<Column<never>, 'isWide'>): boolean {
  return isWide !== true
}

/** A number is a share of the space that is left. */
function tracksOf(columns: readonly Pick<Column<never>, 'width'>[]): string {
  return columns.map(({ width }) => (typeof width === 'string' ? width : `minmax(0, ${width}fr)`)).join(' ')
}

/** Keys that lead from row to row. */
function useRowKeys(table: { readonly current: HTMLElement | null }): void {
  const go = (step: number) => () => {
    const links = [...table.current!.querySelectorAll<HTMLElement>('.row-link')]
    const now = links.findIndex((link) => link.closest('.row')!.contains(document.activeElement))
    links[Math.min(Math.max(now + step, 0), links.length - 1)]?.focus()
  }
  useKeys([
    { keys: 'ArrowDown', does: 'Next row', run: go(1) },
    { keys: 'ArrowUp', does: 'Previous row', run: go(-1) },
    { keys: 'j', does: 'Next row', run: go(1) },
    { keys: 'k', does: 'Previous row', run: go(-1) },
  ])
}
