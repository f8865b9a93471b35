import fc from 'fast-check'
import { it, onTestFinished } from 'vitest'
import {
  createTables,
  sameAs,
  type RealSession,
} from '../../../../test/contract/test/protocol/stores/compare-databases.js'
import { runs } from '../../../core/test/support/runs.js'
import { isMissing } from '@service-signature/contract/services'

it.skipIf(isMissing('drivers'))(
  'the fake database behaves like PGlite in random sequences of statements',
  async () => {
    const { PGlite } = await import('@electric-sql/pglite')
    const pglite = await PGlite.create()
    onTestFinished(() => pglite.close())
    const session: RealSession = {
      // Without values, as pg sends it: a text of one statement or several.
      query: (text, values = []) =>
        values.length === 0 ? pglite.exec(text) : pglite.query<object>(text, values),
    }
    await createTables(session)
    await fc.assert(sameAs([session]), { numRuns: runs(8) })
  },
)
