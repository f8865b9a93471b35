import { postgresInbox } from '@service-signature/postgres'
import pg from 'pg'
import { describe } from 'vitest'
import { replays } from './cases/replays.js'
import type { Host } from './host.js'
import { startPostgres } from './postgres-server.js'
import { isMissing } from './services.js'
import type { StoreKind } from './support/stores.js'

let tables = 0

const inPostgres: StoreKind = {
  async start() {
    const server = await startPostgres()
    const pool = new pg.Pool({ connectionString: server.url })
    // The tables that one test after the other uses.
    const names = Array.from({ length: 100 }, () => `inbox_${++tables}`)
    await Promise.all(names.map((table) => postgresInbox(pool, { table }).migrate()))
    return {
      open() {
        const table = names.pop()!
        const inbox = postgresInbox(pool, { table })
        return {
          claim: (key) => inbox.claim(key),
          commit: (key, token) => inbox.commit(key, token),
          release: (key, token) => inbox.release(key, token),
          endLeases: () => pool.query(`UPDATE ${table} SET claimed_until = now() - interval '1 second'`),
        }
      },
      async stop() {
        await pool.end()
        await server.stop()
      },
    }
  },
}

/** The cases about repeated deliveries, with an inbox in a real PostgreSQL as the store. */
export function postgresContract(host: Host): void {
  describe.skipIf(isMissing('postgres'))(`in ${host.name}, with an inbox in PostgreSQL`, () => {
    replays(host, inPostgres)
  })
}
