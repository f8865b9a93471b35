import type { ComponentChildren } from 'preact'
import { getPage } from '../api/client.js'
import { useResource } from '../api/resource.js'
import { Button } from './button.js'
import { Empty, Problem } from './empty.js'
import { MODES } from './fields.js'
import { FilterSelect, SearchField, useFilters, type FilterOptions } from './filters.js'
import type { Identified } from './links.js'
import { PageHead, type View } from './page-head.js'
import { LongTable, soft, type Column } from './table.js'

/** How many rows are shown at first, and how many more after each press of "Show more". */
const STEP = 100

/** More would make the page slow. */
const MOST = 500

export interface ListFilter {
  /** Its name in the address and in the control API. */
  readonly name: string
  readonly label: string
  /** Without these, only links set the filter, and it is shown while it is set. */
  readonly options?: FilterOptions
}

export const MODE_FILTER: ListFilter = { name: 'is_live', label: 'Mode', options: MODES }

interface ListDefinition<Item> {
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
  readonly actions?: ComponentChildren
  readonly views?: readonly View[]
  /** Parameters besides the filters. */
  readonly query?: Readonly<Record<string, string>>
  /** Whether one of its items is shown next to it, whose heading is that of the page. */
  readonly isBeside?: boolean
}

/** A list with a search and filters, which are kept in the address. It shows the newest rows. */
export function ListPage<Item extends Identified>(props: ListDefinition<Item>) {
  const { title, filters, actions, views, isBeside } = props
  const [values, setFilters, clear] = useFilters()
  const set = ['search', ...filters.map(({ name }) => name)].filter((name) => values[name] !== undefined)
  const limit = Number(values['limit'] ?? STEP)
  const query = new URLSearchParams({ limit: String(limit), ...props.query })
  for (const name of set) query.set(name, values[name]!.trim())
  const path = `${props.path}?${query.toString()}`
  const { data, problem, reload } = useResource(path, {
    kinds: props.kinds,
    load: getPage<Item>,
    isKept: true,
  })
  const bound = (name: string) => ({
    value: values[name],
    onChoose: (value: string | undefined) => setFilters({ [name]: value, limit: undefined }),
  })
  const page = data.value
  const isFiltered = set.length > 0
  const isEmpty = page?.count === 0 && !isFiltered
  return (
    <>
      <PageHead
        title={title}
        badges={page !== undefined && !isEmpty && soft(page.count.toLocaleString('en'))}
        actions={!isEmpty && actions}
        views={views}
        isBeside={isBeside}
      />
      {!isEmpty && (
        <div class="filter-bar" role="search">
          <SearchField label={`Search ${title.toLowerCase()}`} {...bound('search')} />
          <div class="filters">
            {filters.map(({ name, label, options = [] }) => {
              const isShown = options.length > 0 || values[name] !== undefined
              return isShown && <FilterSelect key={name} label={label} options={options} {...bound(name)} />
            })}
            {isFiltered && (
              <Button kind="quiet" isSmall onPress={clear}>
                Clear
              </Button>
            )}
          </div>
        </div>
      )}
      {page === undefined && problem.value !== undefined ? (
        <Problem message={problem.value.message} onRetry={reload} />
      ) : isEmpty ? (
        <Empty title={props.empty}>{props.emptyActions}</Empty>
      ) : page?.count === 0 ? (
        <Empty title={`Nothing in ${title.toLowerCase()} matches these filters.`}>
          <Button onPress={clear}>Clear the filters</Button>
        </Empty>
      ) : (
        <LongTable {...props} page={page} path={path} />
      )}
      {page !== undefined && page.count > page.items.length && (
        <p class="pager">
          <span class="soft">
            The newest {page.items.length} of {page.count.toLocaleString('en')}. Search or filter for others.
          </span>
          {limit < MOST && (
            <Button isSmall onPress={() => setFilters({ limit: String(limit + STEP) })}>
              Show more
            </Button>
          )}
        </p>
      )}
    </>
  )
}
