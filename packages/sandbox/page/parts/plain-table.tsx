import type { ComponentChildren } from 'preact'
import './plain-table.css'

export interface PlainColumn<Item> {
  readonly title: string
  readonly view: (item: Item) => ComponentChildren
  readonly isNumber?: boolean
  /** Left out on narrow screens. */
  readonly isWide?: boolean
}

interface PlainTableProps<Item> {
  readonly label: string
  readonly columns: readonly PlainColumn<Item>[]
  readonly items: readonly Item[]
  readonly keyOf: (item: Item) => string
  /** In place of a table without rows. */
  readonly empty: string
}

/** A short table. A long one is a PagedTable. */
export function PlainTable<Item>({ label, columns, items, keyOf, empty }: PlainTableProps<Item>) {
  if (items.length === 0) return <p class="panel-body soft">{empty}</p>
  const classOf = ({ isNumber, isWide }: PlainColumn<Item>) =>
    [isNumber === true && 'number', isWide === true && 'wide-only'].filter(Boolean).join(' ')
  return (
    <table class="plain-table" aria-label={label}>
      <thead>
        <tr>
          {columns.map((column) => (
            <th scope="col" class={classOf(column)} key={column.title}>
              {column.title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {items.map((item) => (
          <tr key={keyOf(item)}>
            {columns.map((column) => (
              <td class={classOf(column)} key={column.title}>
                {column.view(item)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
