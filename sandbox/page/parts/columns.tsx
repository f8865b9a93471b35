import type { ComponentChildren } from 'preact'
import { idOf, ItemLink, itemPath, type Identified } from './links.js'
import type { PlainColumn } from './plain-table.js'
import { Ago } from './times.js'

/** A column of a long list. */
export interface Column<Item> extends PlainColumn<Item> {
  /** Its share of the space that is left, or a track of the grid: "120px". */
  readonly width: number | string
  /** `previous` is the row above. */
  readonly view: (item: Item, previous?: Item) => ComponentChildren
  /** In place of the title, for the rows that are shown. */
  readonly head?: (items: readonly Item[]) => ComponentChildren
}

/** A text that matters less than those next to it. */
export function soft(text: ComponentChildren) {
  return <span class="soft">{text}</span>
}

interface NameColumn<Item> {
  readonly title: string
  readonly width: number
  readonly section: string
  readonly name: (item: Item) => ComponentChildren
  readonly badges?: (item: Item) => ComponentChildren
  /** On narrow screens, the second line of the row: what the columns have that are left out there. */
  readonly second: (item: Item) => readonly ComponentChildren[]
}

/** The first column of a list, which is the link of the whole row. */
export function nameColumn<Item extends Identified>(column: NameColumn<Item>): Column<Item> {
  const { title, width, section, name, badges, second } = column
  return {
    title,
    width,
    view: (item) => (
      <>
        <a class="row-link" href={itemPath(section, idOf(item))}>
          {name(item)}
        </a>
        {badges?.(item)}
        <span class="second-line narrow-only">
          {second(item).map((part, index) => (index === 0 ? part : [' - ', part]))}
        </span>
      </>
    ),
  }
}

/** The first column of a short table. */
export function linkColumn<Item extends Identified>(
  title: string,
  section: string,
  name: (item: Item) => ComponentChildren,
): PlainColumn<Item> {
  return {
    title,
    view: (item) => (
      <ItemLink section={section} id={idOf(item)}>
        {name(item)}
      </ItemLink>
    ),
  }
}

/** How long ago it was made. */
export const CREATED: Column<{ readonly created: string }> = {
  title: 'Created',
  width: '84px',
  isNumber: true,
  isWide: true,
  view: ({ created }) => soft(<Ago at={created} />),
}
