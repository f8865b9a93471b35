import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { WebhookError } from '@service-signature/core'
import { fromBase64, fromHex, ifValid, toBase64, toHex } from '../../src/read/encodings.js'

describe('encodings give the same results as Node', () => {
  it('for any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 50 }), (bytes) => {
        const buffer = Buffer.from(bytes)
        expect(toBase64(bytes)).toBe(buffer.toString('base64'))
        expect(toHex(bytes)).toBe(buffer.toString('hex'))
        fc.pre(bytes.length > 0)
        for (const encoding of ['base64', 'base64url'] as const) {
          expect(fromBase64(buffer.toString(encoding))).toEqual(bytes)
        }
        expect(fromHex(buffer.toString('hex').toUpperCase())).toEqual(bytes)
      }),
    )
  })

  it.each(['', '=', '===', 'a', 'abcde', 'ab=c', 'a b!', '{}'])('%j is not base64', (text) => {
    expect(fromBase64(text)).toBeUndefined()
  })

  it.each(['', 'a', 'abc', '0x', 'gg'])('%j is not hex', (text) => {
    expect(fromHex(text)).toBeUndefined()
  })
})

describe('an invalid input', () => {
  const failing = (error: Error) => (): unknown => {
    throw error
  }

  it('gives undefined, and a bug is rethrown', () => {
    expect(ifValid(failing(new WebhookError('ERR_SIGNATURE_MISMATCH')))).toBeUndefined()
    expect(ifValid(() => JSON.parse('{') as unknown)).toBeUndefined()
    expect(() => ifValid(failing(new TypeError('a bug')))).toThrow('a bug')
    expect(ifValid(() => 7)).toBe(7)
  })
})
