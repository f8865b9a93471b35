import { durableObjectReplayStore, type DurableObjectReplayStoreOptions } from '@service-signature/cloudflare'
import { describe, expect, it } from 'vitest'
import { useWorkerd } from './support/workerd.js'
import { isMissing } from '@service-signature/contract/services'

const workerd = useWorkerd()

type Binding = 'OBJECTS' | 'OLD_OBJECTS' | 'OTHER_OBJECTS'

let count = 0

/** A store whose keys are unique in the tests, and its objects. */
async function open(binding: Binding, options: DurableObjectReplayStoreOptions = {}) {
  const namespace = await workerd().getDurableObjectNamespace(binding)
  const prefix = `${binding} ${++count} `
  const objectOf = (key: string) => namespace.get(namespace.idFromName(prefix + key))
  const store = durableObjectReplayStore({ idFromName: (key) => key, get: objectOf }, options)
  return {
    store,
    look: async (key: string) => (await objectOf(key).fetch('https://test/look')).json(),
    runAlarm: (key: string) => objectOf(key).fetch('https://test/alarm'),
  }
}

const EMPTY = { entry: null, count: 0, alarm: null }

describe.skipIf(isMissing('drivers')).each(['OBJECTS', 'OLD_OBJECTS'] as const)(
  'over the binding %s',
  (binding) => {
    it('deletes a claim by the alarm when its lease has ended', async () => {
      const { store, look } = await open(binding, { leaseSeconds: 0.2 })
      await store.claim('key')
      await expect.poll(() => look('key')).toEqual(EMPTY)
      expect((await store.claim('key')).status).toBe('new')
    })

    it('deletes a commit by the alarm when its time has ended', async () => {
      const { store, look } = await open(binding, { ttlSeconds: 0.2 })
      await store.commit('key', (await store.claim('key')).token)
      await expect.poll(() => look('key')).toEqual(EMPTY)
      expect((await store.claim('key')).status).toBe('new')
    })

    it('keeps a commit over the alarm of its claim, and sets the alarm again', async () => {
      const { store, look, runAlarm } = await open(binding)
      await store.commit('key', (await store.claim('key')).token)
      const before = (await look('key')) as { alarm: number; entry: { until: number } }
      expect(before.alarm).toBe(Math.ceil(before.entry.until))
      await runAlarm('key')
      await expect.poll(() => look('key')).toEqual(before)
      expect((await store.claim('key')).status).toBe('done')
    })

    it('leaves nothing after a release, and after an alarm that comes too late', async () => {
      const { store, look, runAlarm } = await open(binding)
      await store.release('key', (await store.claim('key')).token)
      expect(await look('key')).toEqual(EMPTY)
      await runAlarm('key')
      await expect.poll(() => look('key')).toEqual(EMPTY)
    })
  },
)

it.skipIf(isMissing('drivers'))(
  'refuses each claim with 503 and the fix if the binding is of another class',
  async () => {
    const { store } = await open('OTHER_OBJECTS')
    await expect(store.claim('key')).rejects.toMatchObject({
      code: 'ERR_REPLAY_STORE_UNAVAILABLE',
      status: 503,
      retryAfterSeconds: 10,
      message:
        'The replay store failed: the binding is not of the class ReplayObject. The Worker must export ReplayObject, and ' +
        'wrangler.jsonc must have "durable_objects": { "bindings": [{ "name": "REPLAY", "class_name": "ReplayObject" }] } ' +
        'and "migrations": [{ "tag": "v1", "new_sqlite_classes": ["ReplayObject"] }]. "onStoreError" decides whether ' +
        'deliveries are accepted meanwhile.',
    })
    await expect(store.commit('key', 'token')).rejects.toThrow('the binding is not of the class ReplayObject')
  },
)
