import { serviceSignature } from '@service-signature/koa'
import { expect, it } from 'vitest'

it('is a named function, because Koa and its tracers show the name', () => {
  expect(serviceSignature({ secret: 'test_signature_key' }).name).toBe('serviceSignature')
})

it('checks its options when it is made', () => {
  expect(() => serviceSignature({})).toThrow(TypeError)
  expect(() => serviceSignature({ secret: 'test_signature_key', bodyLimit: 0 })).toThrow(RangeError)
})
