import { useSignal } from '@preact/signals'
import type { ComponentChildren, RefObject } from 'preact'
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks'
import type { PagedList } from '../api/paged-list.js'
import { countText } from '../format.js'
import type { Column } from './columns.js'
import { Problem } from './empty.js'
import { Icon } from './icons.js'
import { useKeys } from './keyboard.js'
import { isNarrow } from './screen.js'

export type RowClass<Item> = (item: Item, previous: Item | undefined) => string

interface PagedTableProps<Item extends object> {
  readonly label: string
  readonly list: PagedList<Item>
  readonly columns: readonly Column<Item>[]
  readonly empty: ComponentChildren
  readonly rowClass: RowClass<Item> | undefined
  readonly isHeld: boolean
}

const ROW = { wide: 40, narrow: 58 }
/** Rows that are drawn above and below those that are seen. */
const OVERSCAN = 10
const SKELETON_ROWS = 8

type Scroller = RefObject<HTMLDivElement | null>

/** Where each list was scrolled to, for the way back to it. */
const positions = new WeakMap<object, number>()

/** A list of any length, of which only the rows are drawn that are seen. Each has the same height. */
export function PagedTable<Item extends object>(props: PagedTableProps<Item>) {
  const { label, list, columns, empty, rowClass, isHeld } = props
  const scroller = useRef<HTMLDivElement>(null)
  const view = useSignal({ first: 0, last: 40 })
  const height = isNarrow.value ? ROW.narrow : ROW.wide
  const shown = useMemo(
    () => columns.filter(({ isWide }) => isWide !== true || !isNarrow.value),
    [columns, isNarrow.value],
  )

  function measure(): void {
    const element = scroller.current
    // The focus leaves a table that is being removed, too.
    if (element === null) return
    const { scrollTop, clientHeight } = element
    positions.set(list, scrollTop)
    const first = Math.max(0, Math.floor(scrollTop / height) - OVERSCAN)
    const last = Math.ceil((scrollTop + clientHeight) / height) + OVERSCAN
    if (first !== view.value.first || last !== view.value.last) view.value = { first, last }
    list.show(first, last)
    list.follows = scrollTop === 0 && !isHeld && !element.contains(document.activeElement)
  }

  function showNewest(): void {
    scroller.current!.scrollTop = 0
    void list.showNewest()
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

  // Read so that the table is drawn again when rows have changed.
  const version = list.version.value
  const count = list.count.value
  /** Newer rows are only counted, so that they do not move those that are looked at. */
  const newer = list.newer.value
  useRowKeys(scroller, count ?? 0, height)
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
      <div class="new-rows" role="status">
        {newer > 0 && (
          <button type="button" class="button primary small" onClick={showNewest}>
            <Icon name="up" />
            {countText(newer, 'new', 'new')}
          </button>
        )}
      </div>
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
        style={{ '--tracks': shown.map(trackOf).join(' '), '--row': `${height}px` }}
      >
        <div role="rowgroup" class="table-head">
          <div role="row" class="row" aria-rowindex={1}>
            {shown.map(({ title, head, isNumber }) => (
              <div role="columnheader" class={isNumber === true ? 'cell number' : 'cell'} key={title}>
                {head === undefined ? title : head(list)}
              </div>
            ))}
          </div>
        </div>
        <div role="rowgroup" class="table-space" style={{ height: `${total * height}px` }}>
          {indexes.map((index) => {
            const item = list.row(index)
            return (
              <Row
                key={item === undefined ? `row ${index}` : list.idOf(item)}
                index={index}
                item={item}
                previous={list.row(index - 1)}
                columns={shown}
                height={height}
                rowClass={rowClass}
              />
            )
          })}
        </div>
      </div>
      {count === 0 && <div class="table-empty">{empty}</div>}
    </div>
  )
}

/** A number is a share of the space that is left. */
function trackOf({ width }: { readonly width: number | string }): string {
  return typeof width === 'string' ? width : `minmax(0, ${width}fr)`
}

interface RowProps<Item> {
  readonly index: number
  readonly item: Item | undefined
  readonly previous: Item | undefined
  readonly columns: readonly Column<Item>[]
  readonly height: number
  readonly rowClass: RowClass<Item> | undefined
}

function Row<Item>({ index, item, previous, columns, height, rowClass }: RowProps<Item>) {
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

const STEPS = [
  ['ArrowDown', 1],
  ['ArrowUp', -1],
  ['j', 1],
  ['k', -1],
] as const

/** Keys that lead from row to row, wherever the list is scrolled to. */
function useRowKeys(scroller: Scroller, count: number, height: number): void {
  /** The row that gets the focus as soon as it is drawn. */
  const wanted = useRef<number | undefined>(undefined)

  function focusWanted(): void {
    if (wanted.current === undefined) return
    const row = scroller.current!.querySelector(`[data-index="${wanted.current}"]`)
    if (row === null) return
    wanted.current = undefined
    row.querySelector<HTMLElement>('a, button')?.focus({ preventScroll: true })
  }

  function go(step: number): void {
    const element = scroller.current
    if (element === null || count === 0) return
    const focused = document.activeElement?.closest<HTMLElement>('[data-index]')
    const firstSeen = Math.ceil(element.scrollTop / height)
    const index = focused ? Number(focused.dataset['index']) + step : firstSeen
    wanted.current = Math.min(Math.max(index, 0), count - 1)
    scrollTo(element, wanted.current * height)
    focusWanted()
  }

  function scrollTo(element: HTMLElement, top: number): void {
    const head = element.querySelector('.table-head')!.clientHeight
    const bottom = top + height - (element.clientHeight - head)
    if (element.scrollTop > top) element.scrollTop = top
    else if (element.scrollTop < bottom) element.scrollTop = bottom
  }

  useLayoutEffect(focusWanted)
  useKeys(
    STEPS.map(([keys, step]) => ({
      keys,
      does: step > 0 ? 'Next row' : 'Previous row',
      run: () => {
        go(step)
      },
    })),
  )
}
