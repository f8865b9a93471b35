import { memoryReplayStore, type ReplayStore } from '@service-signature/core'
import { EventEmitter, once } from 'node:events'

/** Supplies empty stores. */
export interface StoreKind {
  readonly start: () => Promise<StoreSupply>
}

export interface StoreSupply {
  readonly open: () => LeasingStore
  readonly stop: () => Promise<void>
}

export interface LeasingStore extends ReplayStore {
  /** Ends the lease of every claim. */
  readonly endLeases: () => unknown
}

export const inMemory: StoreKind = {
  start: () => Promise.resolve({ open: openMemory, stop: () => Promise.resolve() }),
}

function openMemory(): LeasingStore {
  const leaseSeconds = 60
  let time = 0
  const { claim, commit, release, ttlSeconds } = memoryReplayStore({ leaseSeconds, now: () => time })
  return { claim, commit, release, ttlSeconds, endLeases: () => (time += leaseSeconds * 1000) }
}

/** The store, with a promise that resolves when it has recorded the end of this many deliveries. */
export function watched(store: ReplayStore): { store: ReplayStore; ended: (count: number) => Promise<void> } {
  const news = new EventEmitter()
  let endings = 0
  const watch = (step: ReplayStore['commit']) => async (key: string, token: string) => {
    await step(key, token)
    endings++
    news.emit('ended')
  }
  return {
    store: {
      claim: (key) => store.claim(key),
      commit: watch(store.commit),
      release: watch(store.release),
    },
    async ended(count) {
      while (endings < count) await once(news, 'ended')
    },
  }
}
