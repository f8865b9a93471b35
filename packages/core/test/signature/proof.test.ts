import { expect, it } from 'vitest'
import { copyOrigin, originOf, setOrigin } from '../../src/signature/proof.js'

it('a copy has the origin of its delivery, which nothing prints, and a copy of another object has no origin', () => {
  const origin = { keyDigest: 'ab'.repeat(32), acceptedSeconds: 300 }
  const delivery = setOrigin({ timestamp: 1 }, origin)

  const copy = copyOrigin({ ...delivery }, delivery)

  expect(originOf(copy)).toBe(origin)
  expect([Object.keys(copy), JSON.stringify(copy)]).toEqual([['timestamp'], '{"timestamp":1}'])
  const other = copyOrigin({ timestamp: 1 }, { timestamp: 1 })
  expect(Reflect.ownKeys(other)).toEqual(['timestamp'])
})
