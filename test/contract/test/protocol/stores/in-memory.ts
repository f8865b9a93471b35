import { memoryReplayStore, type MemoryReplayStore } from '@service-signature/core'
import type { Process, StoreKind } from '../simulation.js'
import { TIMES } from '../simulation.js'

/** The store in memory. Each process has its own, which is lost when the process crashes. */
export const IN_MEMORY: StoreKind = {
  name: 'the store in memory',
  isShared: false,
  isTransactional: false,
  open() {
    const stores = new Map<Process, MemoryReplayStore>()
    return (attempt) => {
      const store = stores.get(attempt.process) ?? memoryReplayStore(TIMES)
      stores.set(attempt.process, store)
      const { claim, release } = store
      const commit = (key: string, token: string) => {
        attempt.committedAt = Date.now()
        store.commit(key, token)
      }
      return { replay: { ...TIMES, claim, release, commit } }
    }
  },
}
