import { memoryReplayStore, type ReplayStore } from '@service-signature/core'
import { EventEmitter, once } from 'node:events'

/** Something that has stores, each with nothing in it. */
export interface StoreKind {
  readonly start: () => Promise<StoreSupply>
}

export interface StoreSupply {
  readonly open: () => ReplayStore
  readonly stop: () => Promise<void>
}

export const inMemory: StoreKind = {
  start: () => Promise.resolve({ open: memoryReplayStore, stop: () => Promise.resolve() }),
}

/** The store, which also says when it has been told how so many deliveries ended. */
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
