import type { ComponentChildren } from 'preact'
import { idOf, type Identified } from './links.js'
import { Panel } from './panel.js'
import './plain-table.css'

export interface PlainColumn<Item> {
  readonly title: string
  readonly view: (item: Item) => ComponentChildren
  readonly isNumber?: boolean
  /** Left out on narrow screens. */
  readonly isWide?: boolean
}

/** The classes of the cells of a column. */
export function cellClass({ isNumber, isWide }: Pick<PlainColumn<never>, 'isNumber' | 'isWide'>): string {
  return [isNumber === true && 'number', isWide === true && 'wide-only'].filter(Boolean).join(' ')
}

interface TablePanelProps<Item> {
  readonly title: string
  readonly tools?: ComponentChildren
  readonly columns: readonly PlainColumn<Item>[]
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
              <tr key={idOf(item)}>
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
