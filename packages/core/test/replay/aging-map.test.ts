import fc from 'fast-check'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'
import { AgingMap } from '../../src/replay/memory.js'

const key = fc.integer({ min: 0, max: 9 }).map(String)
const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant('add' as const), key }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('delete' as const), key }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('delete the oldest' as const), key }) },
)

it('an aging map knows its oldest entry after any additions and deletions', () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 200, maxLength: 500 }), (steps) => {
      const map = new AgingMap<object>()
      let model: { key: string; value: object }[] = []
      for (const { do: action, key } of steps) {
        if (action === 'add' && map.get(key) === undefined) {
          const value = {}
          map.add(key, value)
          model.push({ key, value })
        } else if (action !== 'add') {
          const gone = action === 'delete' ? key : model[0]?.key
          map.delete(gone ?? 'none')
          model = model.filter((entry) => entry.key !== gone)
        }
        expect(map.size).toBe(model.length)
        expect(map.oldest()).toEqual(model[0])
        expect(map.oldest()?.value).toBe(model[0]?.value)
        expect(map.get(key)).toBe(model.find((entry) => entry.key === key)?.value)
      }
    }),
    { numRuns: 50 },
  )
})

it('an aging map releases deleted entries, even those that are younger than a remaining entry', async () => {
  const map = new AgingMap<object>()
  map.add('old', {})
  const deleted = Array.from({ length: 1000 }, (_, index) => {
    const value = {}
    map.add(String(index), value)
    map.delete(String(index))
    return new WeakRef(value)
  })
  // The target of a new WeakRef stays alive until the end of the current turn.
  await new Promise(setImmediate)
  collectGarbage()
  expect(deleted.filter((each) => each.deref() !== undefined).length).toBeLessThan(100)
  expect(map.size).toBe(1)
})

function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  ;(runInNewContext('gc') as () => void)()
}
