import { describe, expect, it } from 'vitest'
import { KeptMap, Memory } from '../src/memory.js'
import { NewestFirst } from '../src/newest-first.js'
import { NoStorage } from '../src/storage/storage.js'

describe('NewestFirst', () => {
  const items = Array.from({ length: 10 }, (_, number) => ({ number }))
  const numbersOf = (list: NewestFirst<{ number: number }>) => [...list].map(({ number }) => number)

  it('walks from the item that was added last', () => {
    const list = new NewestFirst<{ number: number }>()
    expect([...list]).toEqual([])
    for (const item of items) list.add(item)
    expect(numbersOf(list)).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1, 0])
  })

  it('leaves out what was deleted, however many there were', () => {
    const list = new NewestFirst<{ number: number }>()
    for (const item of items) list.add(item)
    for (const number of [0, 1, 2, 3, 8, 5, 6]) list.delete(items[number]!)
    list.delete({ number: 9 })
    expect(numbersOf(list)).toEqual([9, 7, 4])
    list.add(items[0]!)
    expect(numbersOf(list)).toEqual([0, 9, 7, 4])
    for (const number of [9, 7, 4, 0]) list.delete(items[number]!)
    expect(numbersOf(list)).toEqual([])
  })
})

describe('KeptMap.newestFirst', () => {
  it('has the values that are kept, and a replaced one as the newest', () => {
    const map = new KeptMap<{ bytes: number }>({
      memory: new Memory(10),
      storage: new NoStorage('seed'),
      kind: 'item',
      bytesOf: ({ bytes }) => bytes,
    })
    map.set('a', { bytes: 1 }).set('b', { bytes: 2 }).set('c', { bytes: 3 }).set('a', { bytes: 4 })
    expect([...map.newestFirst()]).toEqual([{ bytes: 4 }, { bytes: 3 }, { bytes: 2 }])
    map.delete('c')
    map.set('d', { bytes: 5 })
    expect([...map.newestFirst()]).toEqual([{ bytes: 5 }, { bytes: 4 }])
  })
})
