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

interface PlainTableProps<Item> {
  readonly label: string
  readonly columns: readonly PlainColumn<Item>[]
  readonly items: readonly Item[]
  /** In place of a table without rows. */
  readonly empty: string
}

/** A short table. A long one is a PagedTable. */
export function PlainTable<Item extends Identified>({ label, columns, items, empty }: PlainTableProps<Item>) {
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
          <tr key={idOf(item)}>
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

interface TablePanelProps<Item> extends Omit<PlainTableProps<Item>, 'label'> {
  readonly title: string
  readonly tools?: ComponentChildren
}

/** A panel with a short table, such as what belongs to an item. */
export function TablePanel<Item extends Identified>({ title, tools, ...table }: TablePanelProps<Item>) {
  return (
    <Panel title={title} tools={tools} isFlush>
      <PlainTable label={title} {...table} />
    </Panel>
  )
}
