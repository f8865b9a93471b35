import { PGlite } from '@electric-sql/pglite'
import fc from 'fast-check'
import { it, onTestFinished } from 'vitest'
import { runs } from '../../../../../packages/core/test/support/runs.js'
import { createTables, sameAs, type RealSession } from './compare-databases.js'

it('the fake database behaves like PGlite in random sequences of statements', async () => {
  const pglite = await PGlite.create()
  onTestFinished(() => pglite.close())
  const session: RealSession = {
    // Without values, as pg sends it: a text of one statement or several.
    query: (text, values = []) =>
      values.length === 0 ? pglite.exec(text) : pglite.query<object>(text, values),
  }
  await createTables(session)
  await fc.assert(sameAs([session]), { numRuns: runs(8) })
})
