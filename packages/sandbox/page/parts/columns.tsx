import { ModeBadge } from './badge.js'
import type { Column } from './paged-table.js'
import { Ago } from './times.js'

/** The columns that every list of entities has. */
export const MODE: Column<{ readonly is_live: boolean }> = {
  title: 'Mode',
  width: '52px',
  view: ({ is_live }) => <ModeBadge isLive={is_live} />,
}

export const CREATED: Column<{ readonly created: string }> = {
  title: 'Created',
  width: '84px',
  isNumber: true,
  isWide: true,
  view: ({ created }) => (
    <span class="soft">
      <Ago at={created} />
    </span>
  ),
}
