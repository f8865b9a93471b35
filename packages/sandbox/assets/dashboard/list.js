import { coalesced, get } from './api.js'
import { el, setText } from './dom.js'
import { createRows } from './rows.js'

const PAGE_SIZE = 20

/**
 * A section with a table of which one page is shown, its newest first.
 *
 * `make` is as in `createRows`; `onItems` hears of each page that came.
 */
export function createList(section, path, make, onItems = () => undefined) {
  const rows = createRows(section.querySelector('tbody'), ({ id }) => id, make)
  const table = section.querySelector('table')
  const empty = section.querySelector('[data-empty]')
  const pager = section.querySelector('[data-pager]')
  let offset = 0

  const go = (by) => () => {
    offset = Math.max(0, offset + by)
    void refresh()
  }
  const newer = el('button', { type: 'button', onclick: go(-PAGE_SIZE) }, 'Newer')
  const older = el('button', { type: 'button', onclick: go(PAGE_SIZE) }, 'Older')
  const range = el('span', { role: 'status' })
  pager.append(newer, range, older)

  const refresh = coalesced(async () => {
    const { data, count } = await page()
    rows(data)
    setText(section.querySelector('[data-count]'), count === 0 ? '' : String(count))
    table.hidden = count === 0
    empty.hidden = count > 0
    pager.hidden = count <= PAGE_SIZE
    setText(range, `${offset + 1} to ${offset + data.length} of ${count}`)
    disable(newer, offset === 0, older)
    disable(older, offset + data.length >= count, newer)
    onItems(data)
  })

  async function page() {
    const answer = await get(`${path}?limit=${PAGE_SIZE}&offset=${offset}`)
    if (answer.data.length > 0 || offset === 0) return answer
    // There is less than before: after a reset, for one.
    offset = 0
    return page()
  }

  return { refresh }
}

/** A button that is disabled loses the focus; the other one gets it. */
function disable(button, isDisabled, other) {
  const hadFocus = document.activeElement === button
  button.disabled = isDisabled
  if (hadFocus && isDisabled) {
    other.disabled = false
    other.focus()
  }
}
