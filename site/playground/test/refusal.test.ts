import { parseSignatureHeader } from '@service-signature/core'
import { expect, it } from 'vitest'
import { Refusal, resultOf } from '../src/refusal.js'

it('returns what the call returns, or the first sentence of why it refuses', () => {
  expect(resultOf(() => 5)).toBe(5)
  const refusal = resultOf(() => parseSignatureHeader(null))
  expect(refusal).toBeInstanceOf(Refusal)
  expect(refusal).toEqual({ sentence: 'The request has no Service-Signature header.' })
})

it('throws every other error', () => {
  const call = () => {
    throw new TypeError('a bug')
  }
  expect(() => resultOf(call)).toThrow('a bug')
})
