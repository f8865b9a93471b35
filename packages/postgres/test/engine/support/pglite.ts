import type { PGlite } from '@electric-sql/pglite'
import { postgresInbox } from '@service-signature/postgres'
import { afterAll, beforeAll } from 'vitest'
import { name, recover, type Library, type Rows, type TestDatabase } from '../../support/databases.js'

/** PGlite, one database for all pools: it has one connection. */
const withPglite = (database: () => PGlite): Library => ({
  name: 'PGlite',
  isConcurrent: false,
  connect: () => ({
    inbox: (options) => postgresInbox(database(), options),
    run: async (text, values) => (await database().query<Rows[number]>(text, values)).rows,
    transaction: (run) => database().transaction(run),
    close: () => Promise.resolve(),
  }),
  on: async (client, text, values) => {
    const { rows } = await (client as Pick<PGlite, 'query'>).query<Rows[number]>(text, values)
    return rows
  },
  recover: (client, text) => recover((statement) => withPglite(database).on(client, statement), text),
})

/** A PGlite for the tests of a `describe`, of which the first begins before it is ready. */
export function usePglite(): TestDatabase & { readonly pglite: () => PGlite } {
  let database: PGlite
  beforeAll(async () => {
    const { PGlite } = await import('@electric-sql/pglite')
    database = new PGlite()
  })
  afterAll(() => database.close())
  const library = withPglite(() => database)
  return { library, name, connect: () => library.connect(''), pglite: () => database }
}
