import type { ComponentChildren } from 'preact'
import { useFilters } from './address.js'
import { Button } from './button.js'
import { Empty } from './empty.js'
import { FilterBar, FilterSelect, SearchField } from './filters.js'
import { PageHead } from './page-head.js'
import { PagedTable, type Column } from './paged-table.js'
import { useList } from './use-list.js'

export interface ListFilter {
  /** Its name in the address and in the control API. */
  readonly name: string
  readonly label: string
  readonly options: readonly (readonly [value: string, title: string])[]
}

export const MODE_FILTER: ListFilter = {
  name: 'is_live',
  label: 'Mode',
  options: [
    ['false', 'Test mode'],
    ['true', 'Live mode'],
  ],
}

interface ListPageProps<Item> {
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
  /** Between the heading and the filters. */
  readonly above?: ComponentChildren
  readonly hasUntil?: boolean
  readonly idOf?: (item: Item) => string
}

/** A section that is a list with a search and filters, which are kept in the address. */
export function ListPage<Item extends object>(props: ListPageProps<Item>) {
  const { title, path, kinds, columns, filters: offered, empty, hasUntil = false, idOf } = props
  const [filters, setFilter] = useFilters()
  const names = ['search', ...offered.map(({ name }) => name)]
  const query = Object.fromEntries(names.map((name) => [name, filters[name]]))
  const list = useList<Item>({ path, query, hasUntil }, kinds, idOf)
  const isFiltered = names.some((name) => filters[name] !== undefined)
  const count = list.count.value
  const clear = () => {
    for (const name of names) setFilter(name, undefined)
  }
  return (
    <>
      <PageHead
        title={title}
        badges={count !== undefined && <span class="soft">{count.toLocaleString('en')}</span>}
        actions={props.actions}
      />
      {props.above}
      <FilterBar
        search={
          <SearchField
            label={`Search ${title.toLowerCase()}`}
            value={filters['search']}
            onSearch={(text) => {
              setFilter('search', text)
            }}
          />
        }
      >
        {offered.map(({ name, label, options }) => (
          <FilterSelect
            key={name}
            label={label}
            value={filters[name]}
            options={options}
            onChoose={(value) => {
              setFilter(name, value)
            }}
          />
        ))}
        {isFiltered && (
          <Button kind="quiet" onPress={clear}>
            Clear
          </Button>
        )}
      </FilterBar>
      <PagedTable
        label={title}
        list={list}
        columns={columns}
        empty={
          isFiltered ? (
            <Empty title={`Nothing in ${title.toLowerCase()} fits these filters.`}>
              <Button onPress={clear}>Clear the filters</Button>
            </Empty>
          ) : (
            <Empty title={empty}>{props.emptyActions}</Empty>
          )
        }
      />
    </>
  )
}
