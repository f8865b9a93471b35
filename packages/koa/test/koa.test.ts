import { serviceSignature } from '@service-signature/koa'
import { expect, it } from 'vitest'

it('is a function with a name, as Koa and its tracers show it', () => {
  expect(serviceSignature({ secret: 'test_signature_key' }).name).toBe('serviceSignature')
})

it('checks its options where it is made', () => {
  expect(() => serviceSignature({})).toThrow(TypeError)
  expect(() => serviceSignature({ secret: 'test_signature_key', bodyLimit: 0 })).toThrow(RangeError)
})
