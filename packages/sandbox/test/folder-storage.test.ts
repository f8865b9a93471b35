import { describe, expect, it, vi } from 'vitest'
import { checkOptions } from '../src/options.js'
import { buildServer } from '../src/server.js'
import { Service } from '../src/service.js'
import { FolderStorage } from '../src/storage/folder-storage.js'
import { RecordDatabase, type RecordChange } from '../src/storage/record-database.js'
import type { NumberedRecord } from '../src/storage/storage.js'
import { StoredMap } from '../src/storage/stored-map.js'
import { temporaryFolder } from './support/folder.js'

/** A storage whose transactions are taken down, and what each of them does. */
function storageOver(write: () => Promise<void> = () => Promise.resolve()) {
  const written: (readonly RecordChange[])[] = []
  const storage = new FolderStorage({
    folder: '/data',
    seed: 'seed',
    records: [
      [3, ['item', 'c', 3]],
      [5, ['other', 'a', 1]],
    ],
    database: {
      write(changes) {
        written.push(structuredClone(changes))
        return write()
      },
      clear: () => Promise.resolve(),
    },
    close: () => Promise.resolve(),
  })
  return { storage, written }
}

describe('FolderStorage', () => {
  it('writes the last value of each record, in one transaction for all changes that are made together', async () => {
    const { storage, written } = storageOver()
    const map = new StoredMap<{ count: number }>(storage, 'item')
    const value = { count: 1 }
    map.set('d', value)
    map.set('c', { count: 4 })
    value.count = 2
    map.changed('d')
    map.changed('unknown')
    map.set('gone', value)
    map.delete('gone')
    map.delete('unknown')
    storage.remove('item', 'never put')
    expect(await storage.written()).toBe(true)
    expect(await storage.written()).toBe(true)
    expect(written).toEqual([
      [
        [6, ['item', 'd', { count: 2 }]],
        [3, ['item', 'c', { count: 4 }]],
        [7, undefined],
      ],
    ])
  })

  it('writes changes that no caller waits for', async () => {
    const { storage, written } = storageOver()
    storage.put('item', 'c', 4)
    await vi.waitFor(() => {
      expect(written).toEqual([[[3, ['item', 'c', 4]]]])
    })
  })

  it('hands out what was kept once, and ignores what is put after it was emptied', async () => {
    const { storage, written } = storageOver()
    expect(storage.load('item')).toEqual([['item', 'c', 3]])
    expect(storage.load('item')).toEqual([])
    const empty = storage.emptied()
    expect(empty).toMatchObject({ seed: 'seed', folder: '/data' })
    storage.put('item', 'late', 1)
    expect(empty.load('other')).toEqual([])
    empty.put('item', 'new', 2)
    expect(await empty.written()).toBe(true)
    expect(written).toEqual([[[1, ['item', 'new', 2]]]])
  })

  it('writes no more after a transaction failed', async () => {
    const { storage, written } = storageOver(() => Promise.reject(new Error('The disk is full')))
    storage.put('item', 'c', 4)
    expect(await storage.written()).toBe(false)
    storage.put('item', 'c', 5)
    expect(await storage.written()).toBe(false)
    expect(await storage.emptied().written()).toBe(false)
    expect(written).toHaveLength(1)
  })
})

describe('A sandbox that cannot write', () => {
  it('answers 500 and says why in the log, and sends no event', async () => {
    const lines: string[] = []
    const { storage } = storageOver(() => Promise.reject(new Error('The disk is full')))
    const service = new Service(checkOptions({ logger: (line) => lines.push(line) }), storage)
    const app = await buildServer(service)
    const post = (url: string, payload: object) =>
      app.inject({
        method: 'POST',
        url,
        payload,
        headers: { host: 'localhost', 'x-api-key': service.state.first.accountKey.value },
      })
    const intent = { amount: 1, amount_currency: 'EUR', webhook_url: 'http://127.0.0.1:1/' }
    const answer = await post('/api/v1.4/payments/intent/', intent)
    expect(answer.statusCode).toBe(500)
    expect(answer.json()).toMatchObject({ status: { code: 500, errors: [] }, data: null })
    expect(lines[0]).toBe('POST /api/v1.4/payments/intent/ the data folder cannot be written')
    const [made] = service.state.intents.values()
    await post(`/_sandbox/intents/${made!.id}/pay/`, { card: '4242424242424242' })
    await service.deliveries.idle()
    expect(service.deliveries.list().map(({ attempts }) => attempts)).toEqual([[], []])
    service.end()
    await app.close()
  })
})

async function readAll(database: RecordDatabase) {
  const all: NumberedRecord[] = []
  for await (const records of database.records()) all.push(...records)
  return all
}

describe('RecordDatabase', () => {
  it('has all records again in their order, also where there are more than it keeps open', async () => {
    const file = `${temporaryFolder()}/records`
    const database = new RecordDatabase(file)
    const numbers = Array.from({ length: 25_000 }, (_, index) => index + 1)
    await database.write(numbers.map((number) => [number, ['item', `id ${number}`, { number }]]))
    await database.write([[2, undefined]])
    await database.close()
    const again = new RecordDatabase(file)
    const records = await readAll(again)
    expect(records.map(([number]) => number)).toEqual(numbers.filter((number) => number !== 2))
    expect(records.at(-1)).toEqual([25_000, ['item', 'id 25000', { number: 25_000 }]])
    await again.clear()
    expect(await readAll(again)).toEqual([])
    await again.close()
  })
})
