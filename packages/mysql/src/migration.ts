import { messageOf, otherShape } from '@service-signature/inbox'
import type { MysqlClient, Session } from './driver.js'
import { NO_TABLE, numberOf, UNKNOWN_COLUMN } from './failures.js'
import type { statementsFor } from './statements.js'

/**
 * Creates the table, unless it is there: then it needs no right to create one.
 *
 * @throws {Error} if the table is not that of an inbox
 */
export async function migrate(
  session: Session<MysqlClient>,
  { look, schema }: ReturnType<typeof statementsFor>,
  table: string,
): Promise<void> {
  try {
    await session.run(look)
  } catch (error) {
    if (numberOf(error) === UNKNOWN_COLUMN) throw otherShape(table, messageOf(error), { cause: error })
    if (numberOf(error) !== NO_TABLE) throw error
    await session.run(schema)
  }
}
