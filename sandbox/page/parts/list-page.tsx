import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useMemo } from 'preact/hooks'
import { useChanges } from '../api/changes.js'
import { PagedList, type PagedListOptions, type Query } from '../api/paged-list.js'
import { Button } from './button.js'
import { soft, type Column } from './columns.js'
import { Empty } from './empty.js'
import { FilterChip, FilterSelect, type FilterSelectProps, SearchField, useFilters } from './filters.js'
import { idOf, type Identified } from './links.js'
import { PageHead } from './page-head.js'
import { PagedTable, type RowClass } from './paged-table.js'

export interface ListFilter {
  /** Its name in the address and in the control API. */
  readonly name: string
  readonly label: string
  /** Without these, only links set the filter, and it is shown while it is set. */
  readonly options?: FilterSelectProps['options']
}

/** A filter whose options depend on what is in the list. */
interface LoadedFilter<Item extends object> extends ListFilter {
  readonly useOptions?: (list: PagedList<Item>) => FilterSelectProps['options']
}

export const MODE_FILTER: ListFilter = {
  name: 'is_live',
  label: 'Mode',
  options: [
    ['false', 'Test mode'],
    ['true', 'Live mode'],
  ],
}

/** What a list is made of. */
export interface ListDefinition<Item extends object> {
  readonly title: string
  readonly path: string
  /** The changes after which it is loaded again. */
  readonly kinds: readonly string[]
  /** These must be the same objects at each call, or every row is drawn again. */
  readonly columns: readonly Column<Item>[]
  readonly filters: readonly LoadedFilter<Item>[]
  /** The line of the list while nothing is in it. */
  readonly empty: string
  /** What to do then. */
  readonly emptyActions?: ComponentChildren
  /** The line when no item has what the filters ask for. */
  readonly nothingFound?: string
  readonly actions?: ComponentChildren
  /** Whether the list takes `until`, which keeps offsets stable while new rows arrive. */
  readonly hasUntil?: boolean
}

interface ListPageProps<Item extends object> extends ListDefinition<Item> {
  /** Between the heading and the filters. */
  readonly above?: ComponentChildren
  /** Parameters besides the filters. */
  readonly query?: Query
  /** Next to the filters. */
  readonly tools?: ComponentChildren
  readonly rowClass?: RowClass<Item> | undefined
  /** Whether new rows must not be put in now, such as while some are selected. */
  readonly isHeld?: boolean
}

/** The page of a section that is nothing but its list. */
export function listPage<Item extends Identified>(definition: ListDefinition<Item>) {
  return () => <ListPage {...definition} />
}

/** A list with a search and filters, which are kept in the address. */
export function ListPage<Item extends Identified>(props: ListPageProps<Item>) {
  const { title, path, kinds, columns, filters, hasUntil = false, isHeld = false, rowClass } = props
  const [values, setFilter, clear] = useFilters()
  const names = ['search', ...filters.map(({ name }) => name)]
  const query = { ...Object.fromEntries(names.map((name) => [name, values[name]])), ...props.query }
  const list = useList<Item>({ path, query, hasUntil }, kinds)
  const count = list.count.value
  const isFiltered = names.some((name) => values[name] !== undefined)
  const { nothingFound = `Nothing in ${title.toLowerCase()} fits these filters.` } = props
  const filterProps = (name: string) => ({
    value: values[name],
    onChoose: (value: string | undefined) => {
      setFilter(name, value)
    },
  })
  return (
    <>
      <PageHead
        title={title}
        badges={count !== undefined && soft(count.toLocaleString('en'))}
        actions={props.actions}
      />
      {props.above}
      <div class="filter-bar" role="search">
        <SearchField label={`Search ${title.toLowerCase()}`} {...filterProps('search')} />
        <div class="filters">
          {filters.map((filter) => (
            <Filter key={filter.name} list={list} {...filter} {...filterProps(filter.name)} />
          ))}
          {props.tools}
          {isFiltered && (
            <Button kind="quiet" onPress={clear}>
              Clear
            </Button>
          )}
        </div>
      </div>
      <PagedTable
        label={title}
        list={list}
        columns={columns}
        rowClass={rowClass}
        isHeld={isHeld}
        empty={
          isFiltered ? (
            <Empty title={nothingFound}>
              <Button onPress={clear}>Clear the filters</Button>
            </Empty>
          ) : (
            <Empty title={props.empty}>{props.emptyActions}</Empty>
          )
        }
      />
    </>
  )
}

interface FilterProps<Item extends object> extends Omit<FilterSelectProps, 'options'>, LoadedFilter<Item> {
  readonly list: PagedList<Item>
}

function Filter<Item extends object>({ list, useOptions, ...filter }: FilterProps<Item>) {
  const { value, options = useOptions?.(list) } = filter
  if (options !== undefined) return <FilterSelect {...filter} options={options} />
  return value === undefined ? null : <FilterChip {...filter} />
}

/** The lists that were shown last, so that the way back leads to the same rows. */
const kept = new Map<string, PagedList<object>>()
const MAX_KEPT = 8

/** A list for as long as a page is shown, which follows the changes of these kinds. */
function useList<Item extends Identified>(
  options: PagedListOptions,
  kinds: readonly string[],
): PagedList<Item> {
  const key = JSON.stringify(options)
  const list = useMemo(() => {
    const found = (kept.get(key) as PagedList<Item> | undefined) ?? new PagedList<Item>(options, idOf)
    kept.delete(key)
    kept.set(key, found as unknown as PagedList<object>)
    for (const oldest of [...kept.keys()].slice(0, -MAX_KEPT)) kept.delete(oldest)
    return found
  }, [key])
  // Before the browser draws: an effect runs after that, and the first rows wait for it.
  useLayoutEffect(() => {
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
