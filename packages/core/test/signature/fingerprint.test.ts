import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { secret } from '../support/deliveries.js'
import { entries } from '../support/entries.js'

describe.each(entries)('fingerprint, on $digest', ({ fingerprint }) => {
  it.each([secret, ` ${secret}\n`, 'k', '\u00e9\u{1f600}'])(
    'is the start of the SHA-256 of %j',
    async (key) => {
      const hex = createHash('sha256').update(key, 'utf8').digest('hex')
      expect(await fingerprint(key)).toBe(`sha256:${hex.slice(0, 8)}`)
    },
  )

  it.each(['', undefined, 7])('is a TypeError for %j', async (key) => {
    await expect(fingerprint(key as string)).rejects.toThrow(
      new TypeError('fingerprint: expected a key, a string that is not empty'),
    )
  })
})
