import { messageOf, otherShape, type sqliteStatements } from '@service-signature/inbox'
import type { Driver } from './driver.js'

const OTHER_SHAPE = /no such column|has no column named|ON CONFLICT clause does not match|no query solution/

/** Creates the table and its index, unless they are there: then it needs neither the lock of the file nor the right to write. */
export async function migrate(
  driver: Omit<Driver<never>, 'once'>,
  sql: ReturnType<typeof sqliteStatements>,
  table: string,
): Promise<void> {
  try {
    await driver.look(`EXPLAIN ${sql.claim};${sql.readIndex}`)
  } catch (error) {
    const message = messageOf(error)
    if (OTHER_SHAPE.test(message)) throw otherShape(table, message, { cause: error })
    if (!/no such (?:table|index)/.test(message)) throw error
    await driver.execute(sql.schema.join(';'))
  }
}
