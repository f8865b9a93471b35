import { d1Inbox, type InboxOptions } from '@service-signature/cloudflare'
import type { VerifiedDelivery } from '@service-signature/inbox'
import { useWorkerd } from './workerd.js'

let count = 0

/** Inboxes in the D1 of a Worker. */
export function useInboxes() {
  const workerd = useWorkerd()

  /** An inbox with a table of its own, and a table in which its batches book. */
  async function open(options: InboxOptions = {}) {
    const db = await workerd().getD1Database('DB')
    const table = `inbox_${++count}`
    const inbox = d1Inbox(db, { table, ...options })
    await inbox.migrate()
    const bookings = `bookings_${count}`
    await db.prepare(`CREATE TABLE ${bookings} (what TEXT NOT NULL)`).run()
    const insert = (what: unknown = 'a payment') =>
      db.prepare(`INSERT INTO ${bookings} VALUES (?1)`).bind(what)
    const rows = async (text: string) => (await db.prepare(text).all()).results
    return {
      db,
      table,
      bookings,
      inbox,
      /** The inbox of another Worker. */
      other: d1Inbox(db, { table, ...options }),
      insert,
      /** As a merchant's handler does. */
      book: async (webhookOrKey: VerifiedDelivery | string, statement = insert()) => {
        const { outcome } =
          typeof webhookOrKey === 'string'
            ? await inbox.once(webhookOrKey, [statement])
            : await inbox.handle(webhookOrKey, [statement])
        return outcome
      },
      booked: async () => (await rows(`SELECT what FROM ${bookings}`)).map(({ what }) => what),
      keys: async () => (await rows(`SELECT key FROM ${table} ORDER BY key`)).map(({ key }) => key),
      rows,
      advance: async (seconds: number) => {
        const columns = ['handled_at', 'claimed_until'].map((column) => `${column} = ${column} - ${seconds}`)
        await db.prepare(`UPDATE ${table} SET ${columns.join(', ')}`).run()
      },
    }
  }
  return { open }
}
