import type { PGlite } from '@electric-sql/pglite'
import type { ReplayStore } from '@service-signature/core'
import { replayStoreCases, type ReplayStoreTimes } from '@service-signature/core/testing'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { isMissing } from '@service-signature/contract/services'

type TableStore = (db: PGlite, options: ReplayStoreTimes & { readonly now: () => number }) => ReplayStore

/** The example that docs/replay.md links to. */
const { tableStore } = (await import(
  new URL('../../../../examples/core/own-store.js', import.meta.url).href
)) as { readonly tableStore: TableStore }

describe.skipIf(isMissing('drivers'))('the example of a store of your own', () => {
  let db: PGlite
  beforeAll(async () => {
    const { PGlite } = await import('@electric-sql/pglite')
    db = await PGlite.create()
  })
  afterAll(() => db.close())

  const open = async (times: ReplayStoreTimes) => {
    await db.exec(
      'DROP TABLE IF EXISTS claims; CREATE TABLE claims (key text PRIMARY KEY, token text, ends_at double precision NOT NULL)',
    )
    let time = 1_743_090_080_000
    const store = () => tableStore(db, { ...times, now: () => time })
    return { store: store(), other: store(), advance: (seconds: number) => (time += seconds * 1000) }
  }
  for (const { name, run } of replayStoreCases(open)) it(name, run)
})
