import { useLayoutEffect, useRef } from 'preact/hooks'
import type { PagedList } from '../api/paged-list.js'
import { useKeys } from './keyboard.js'

/** Keys that lead from row to row, wherever the list is scrolled to. */
export function useRowKeys<Item extends object>(
  scroller: { readonly current: HTMLDivElement | null },
  list: PagedList<Item>,
  height: number,
): void {
  /** The row that gets the focus as soon as it is drawn. */
  const wanted = useRef<number | undefined>(undefined)

  function focusWanted(): void {
    if (wanted.current === undefined) return
    const row = rowAt(scroller.current!, wanted.current)
    if (row === null) return
    wanted.current = undefined
    row.querySelector<HTMLElement>('a, button')?.focus({ preventScroll: true })
  }

  function go(step: number): void {
    const element = scroller.current
    const count = list.count.value ?? 0
    if (element === null || count === 0) return
    const focused = document.activeElement?.closest<HTMLElement>('[data-index]')
    const firstSeen = Math.ceil(element.scrollTop / height)
    const index = focused ? Number(focused.dataset['index']) + step : firstSeen
    wanted.current = Math.min(Math.max(index, 0), count - 1)
    scrollTo(element, wanted.current)
    focusWanted()
  }

  function scrollTo(element: HTMLElement, index: number): void {
    const head = element.querySelector('.table-head')!.clientHeight
    const top = index * height
    const bottom = top + height - (element.clientHeight - head)
    if (element.scrollTop > top) element.scrollTop = top
    else if (element.scrollTop < bottom) element.scrollTop = bottom
  }

  useLayoutEffect(focusWanted)
  const down = () => {
    go(1)
  }
  const up = () => {
    go(-1)
  }
  useKeys([
    { keys: 'ArrowDown', does: 'Next row', run: down },
    { keys: 'ArrowUp', does: 'Previous row', run: up },
    { keys: 'j', does: 'Next row', run: down },
    { keys: 'k', does: 'Previous row', run: up },
  ])
}

function rowAt(element: HTMLElement, index: number): HTMLElement | null {
  return element.querySelector<HTMLElement>(`[data-index="${index}"]`)
}
