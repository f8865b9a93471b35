import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks'
import type { PagedList } from '../api/paged-list.js'
import { countText } from '../format.js'
import { Problem } from './empty.js'
import { Icon } from './icons.js'
import { isNarrow } from './media.js'
import { useRowKeys } from './row-keys.js'

export interface Column<Item> {
  readonly title: string
  /** A track of the grid: "120px", "minmax(0, 1fr)". */
  readonly width: string
  /** `previous` is the row above, if it is loaded. */
  readonly view: (item: Item, previous: Item | undefined) => ComponentChildren
  /** In place of the title. */
  readonly head?: () => ComponentChildren
  readonly isNumber?: boolean
  /** Left out on narrow screens. */
  readonly isWide?: boolean
}

export interface PagedTableProps<Item extends object> {
  readonly label: string
  readonly list: PagedList<Item>
  /** These must be the same objects at each call, or every row is drawn again. */
  readonly columns: readonly Column<Item>[]
  readonly empty: ComponentChildren
  readonly rowClass?: ((item: Item, previous: Item | undefined) => string) | undefined
  /** Whether new rows must not be put in now, such as while some are selected. */
  readonly isHeld?: boolean
}

const ROW = { wide: 40, narrow: 58 }
/** Rows that are drawn above and below those that are seen. */
const OVERSCAN = 10
const SKELETON_ROWS = 8

/** Where each list was scrolled to, for the way back to it. */
const positions = new WeakMap<object, number>()

/** A list of any length, of which only the rows are drawn that are seen. Each has the same height. */
export function PagedTable<Item extends object>(props: PagedTableProps<Item>) {
  const { label, list, columns, empty, isHeld = false } = props
  const scroller = useRef<HTMLDivElement>(null)
  const view = useSignal({ first: 0, last: 40 })
  const height = isNarrow.value ? ROW.narrow : ROW.wide
  const shown = useMemo(
    () => columns.filter(({ isWide }) => isWide !== true || !isNarrow.value),
    [columns, isNarrow.value],
  )
  const rowHeight = useRef(height)
  rowHeight.current = height

  function measure(): void {
    const element = scroller.current
    // The focus leaves a table that is being removed, too.
    if (element === null) return
    const { scrollTop, clientHeight } = element
    positions.set(list, scrollTop)
    const first = Math.max(0, Math.floor(scrollTop / rowHeight.current) - OVERSCAN)
    const last = Math.ceil((scrollTop + clientHeight) / rowHeight.current) + OVERSCAN
    if (first !== view.value.first || last !== view.value.last) view.value = { first, last }
    list.show(first, last)
    list.follows = scrollTop === 0 && !isHeld && !element.contains(document.activeElement)
  }

  useLayoutEffect(() => {
    const element = scroller.current
    if (element === null) return
    element.scrollTop = positions.get(list) ?? 0
    const resized = new ResizeObserver(measure)
    resized.observe(element)
    return () => {
      resized.disconnect()
    }
  }, [list, height])
  useLayoutEffect(measure)
  useRowKeys(scroller, list, height)

  // Read so that the table is drawn again when rows have changed.
  const version = list.version.value
  const count = list.count.value
  const problem = list.problem.value
  if (problem !== undefined && count === undefined) {
    return <Problem message={problem.message} onRetry={list.refresh} />
  }
  const { first, last } = view.value
  const total = count ?? SKELETON_ROWS
  const indexes = Array.from(
    { length: Math.max(0, Math.min(last, total - 1) - first + 1) },
    (_, i) => first + i,
  )

  return (
    <div class="table-frame">
      <NewRows list={list} scroller={scroller} />
      <div
        class="table"
        data-version={version}
        role="table"
        aria-label={label}
        aria-rowcount={total + 1}
        aria-busy={count === undefined}
        ref={scroller}
        onScroll={measure}
        onFocusIn={measure}
        onFocusOut={measure}
        style={{ '--tracks': shown.map(({ width }) => width).join(' '), '--row': `${height}px` }}
      >
        <div role="rowgroup" class="table-head">
          <div role="row" class="row" aria-rowindex={1}>
            {shown.map(({ title, head, isNumber }) => (
              <div role="columnheader" class={isNumber === true ? 'cell number' : 'cell'} key={title}>
                {head === undefined ? title : head()}
              </div>
            ))}
          </div>
        </div>
        <div role="rowgroup" class="table-space" style={{ height: `${total * height}px` }}>
          {indexes.map((index) => (
            <Row
              key={keyOf(list, index)}
              index={index}
              item={list.row(index)}
              previous={index === 0 ? undefined : list.row(index - 1)}
              columns={shown}
              height={height}
              rowClass={props.rowClass}
            />
          ))}
        </div>
      </div>
      {count === 0 && <div class="table-empty">{empty}</div>}
    </div>
  )
}

function keyOf<Item extends object>(list: PagedList<Item>, index: number): string {
  const item = list.row(index)
  return item === undefined ? `row ${index}` : list.idOf(item)
}

interface RowProps<Item> {
  readonly index: number
  readonly item: Item | undefined
  readonly previous: Item | undefined
  readonly columns: readonly Column<Item>[]
  readonly height: number
  readonly rowClass: PagedTableProps<Item & object>['rowClass'] | undefined
}

function Row<Item extends object>({ index, item, previous, columns, height, rowClass }: RowProps<Item>) {
  // The same element again is not drawn again.
  return useMemo(
    () => (
      <div
        role="row"
        class={`row ${item !== undefined && rowClass !== undefined ? rowClass(item, previous) : ''}`}
        aria-rowindex={index + 2}
        data-index={index}
        style={{ transform: `translateY(${index * height}px)` }}
      >
        {columns.map(({ title, view, isNumber }) => (
          <div role="cell" class={isNumber === true ? 'cell number' : 'cell'} key={title}>
            {item === undefined ? <span class="skeleton" /> : view(item, previous)}
          </div>
        ))}
      </div>
    ),
    [index, item, previous, columns, height, rowClass],
  )
}

/** Says how many newer rows there are, without moving those that are looked at. */
function NewRows<Item extends object>({
  list,
  scroller,
}: {
  readonly list: PagedList<Item>
  readonly scroller: { readonly current: HTMLDivElement | null }
}) {
  const count = list.newer.value
  return (
    <div class="new-rows" role="status">
      {count > 0 && (
        <button
          type="button"
          class="button primary small"
          onClick={() => {
            scroller.current!.scrollTop = 0
            void list.showNewest()
          }}
        >
          <Icon name="up" />
          {countText(count, 'new', 'new')}
        </button>
      )}
    </div>
  )
}
