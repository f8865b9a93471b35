import { deepStrictEqual, rejects, strictEqual } from 'node:assert'
import { createHmac, createSecretKey } from 'node:crypto'
import { test } from 'node:test'
import { counting } from '../guard/counting.js'

const NOTHING = { macs: 0, bytes: 0, keys: 0, parses: 0 }

test('MACs, bytes, keys and parsed texts are counted, of functions that were imported before', async () => {
  const counts = await counting(async () => {
    createHmac('sha256', createSecretKey('key', 'utf8')).update('abc').update(new Uint8Array(4))
    await Promise.resolve()
    createHmac('sha256', 'key').update('\u00e9').update('00ff', 'hex')
    JSON.parse('{}')
  })
  deepStrictEqual(counts, { macs: 2, bytes: 3 + 4 + 2 + 2, keys: 1, parses: 1 })
})

test('what is counted gives the same digest', async () => {
  const digest = () => createHmac('sha256', 'key').update('abc').digest('hex')
  const expected = digest()
  await counting(() => {
    strictEqual(digest(), expected)
  })
})

test('afterwards nothing is counted, even if what ran has failed', async () => {
  const before = [createHmac, createSecretKey, JSON.parse]
  await rejects(
    counting(() => {
      throw new Error('failed')
    }),
    /failed/,
  )
  deepStrictEqual([createHmac, createSecretKey, JSON.parse], before)
  deepStrictEqual(await counting(() => undefined), NOTHING)
})
