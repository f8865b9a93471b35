import { keepRawBody, serviceSignature } from '@service-signature/express'
import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { expect, it } from 'vitest'

it('is a named function, because Express and its tracers show the name', () => {
  expect(serviceSignature({ secret: 'test_signature_key' }).name).toBe('serviceSignature')
})

it('checks its options when it is made', () => {
  expect(() => serviceSignature({})).toThrow(TypeError)
  expect(() => serviceSignature({ secret: 'test_signature_key', bodyLimit: 0 })).toThrow(RangeError)
})

it('keepRawBody keeps the bytes in addition to the parsed body', () => {
  const req = new IncomingMessage(new Socket())
  const bytes = Buffer.from('{}')
  keepRawBody(req, new ServerResponse(req), bytes)
  expect((req as { rawBody?: unknown }).rawBody).toBe(bytes)
})
