import { otherShape } from '@service-signature/inbox'

/** Each column, and whether the index is there. */
const LOOK = `SELECT name, pk, EXISTS (SELECT 1 FROM sqlite_schema WHERE name = ?2) AS has_index FROM pragma_table_info(?1)`
const COLUMNS = ['key', 'handled_at', 'claim_token', 'claimed_until']

interface Column {
  readonly name: string
  readonly pk: number
  readonly has_index: number
}

/**
 * Creates the table and its index, unless they are there.
 *
 * @param rows runs a statement
 * @throws {Error} if the table is not that of an inbox
 */
export async function migrate(
  table: string,
  rows: (text: string, ...values: string[]) => Promise<readonly unknown[]>,
  create: () => Promise<unknown>,
): Promise<void> {
  const columns = (await rows(LOOK, table, `${table}_age`)) as readonly Column[]
  if (columns.length > 0) checkShape(table, columns)
  if (columns[0]?.has_index !== 1) await create()
}

function checkShape(table: string, columns: readonly Column[]): void {
  const names = columns.map(({ name }) => name)
  const problems = COLUMNS.filter((name) => !names.includes(name)).map((name) => `no column "${name}"`)
  const isKey = columns.every(({ name, pk }) => (name === 'key') === pk > 0)
  if (!isKey) problems.push('the primary key is not "key" alone')
  if (problems.length > 0) throw otherShape(table, problems.join(', '))
}
