import type { Miniflare, MiniflareOptions } from 'miniflare'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll } from 'vitest'
import { bundleForWorkers } from '../../../../fetch/test/support/bundle.js'

/** Workers as old as this date behave like the newest, apart from changes that the packages must not depend on. */
const COMPATIBILITY_DATE = '2024-01-01'

/** The options of Miniflare for a program that is bundled over the sources of the packages. */
export async function workerOptions(program: string): Promise<MiniflareOptions> {
  const { code } = await bundleForWorkers(program)
  return { modules: true, script: code, compatibilityDate: COMPATIBILITY_DATE }
}

/** Loads Miniflare only when a test starts it: it is not installed everywhere. */
export async function startMiniflare(options: MiniflareOptions): Promise<Miniflare> {
  const { Miniflare } = await import('miniflare')
  return new Miniflare(options)
}

/** The Worker of the tests, in workerd. */
export function useWorkerd() {
  let started: Miniflare | undefined
  beforeAll(async () => {
    const path = fileURLToPath(new URL('../inside/worker.ts', import.meta.url))
    started = await startMiniflare({
      ...(await workerOptions(
        `export * from ${JSON.stringify(path)}; export { default } from ${JSON.stringify(path)}`,
      )),
      d1Databases: ['DB'],
      durableObjects: {
        OBJECTS: { className: 'TestObject', useSQLite: true },
        // Stored as key-value pairs, as before there was SQLite in Durable Objects.
        OLD_OBJECTS: { className: 'OldTestObject' },
        OTHER_OBJECTS: { className: 'OtherObject', useSQLite: true },
      },
    })
    await started.ready
  })
  afterAll(() => started?.dispose())
  return () => started!
}
