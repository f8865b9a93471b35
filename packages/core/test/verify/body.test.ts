import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { copyOf, toBytes, unsharedBytes, type WebhookBody } from '../../src/verify/body.js'

describe('toBytes', () => {
  it('passes bytes on without a copy', () => {
    const body = Buffer.from('{}')
    expect(toBytes(body)).toBe(body)
  })

  it('returns only the part of a buffer that a view covers', () => {
    expect([...toBytes(new Uint8Array([1, 2, 3, 4]).subarray(1, 3))]).toEqual([2, 3])
  })

  it.each([
    ['an ArrayBuffer', new Uint8Array([0x7b, 0x7d]).buffer],
    ['a string, as UTF-8', '{}'],
    ['bytes of another realm', runInNewContext('new Uint8Array([0, 0x7b, 0x7d]).subarray(1)') as Uint8Array],
    [
      'an ArrayBuffer of another realm',
      runInNewContext('new Uint8Array([0x7b, 0x7d]).buffer') as ArrayBuffer,
    ],
  ])('accepts %s', (_, body) => {
    const bytes = toBytes(body)
    expect(bytes).toBeInstanceOf(Uint8Array)
    expect([...bytes]).toEqual([0x7b, 0x7d])
  })

  it('encodes a string beyond ASCII as UTF-8', () => {
    expect([...toBytes('\u00e9\u{1f600}')]).toEqual([0xc3, 0xa9, 0xf0, 0x9f, 0x98, 0x80])
  })

  it.each<[hint: string, body: unknown]>([
    ['Printing it again does not give the signed bytes back', { type: 'intent.processed' }],
    ['Printing it again does not give the signed bytes back', []],
    ['Pass what its arrayBuffer() method resolves to', new Request('http://localhost')],
    ['Pass what its arrayBuffer() method resolves to', new Blob([])],
    ['Read the stream to its end first', new ReadableStream()],
    ['await it first', Promise.resolve('{}')],
    ['was it already consumed by a body parser?', undefined],
    ['was it already consumed by a body parser?', null],
    ['This is of type Number', 7],
    ['This is of type Uint16Array', new Uint16Array(2)],
    ['This is of type DataView', new DataView(new ArrayBuffer(2))],
    ['This is of type Uint8Array', { [Symbol.toStringTag]: 'Uint8Array' }],
  ])('throws a TypeError that says what to pass: %s', (hint, body) => {
    const call = () => toBytes(body as WebhookBody)
    expect(call).toThrow(TypeError)
    expect(call).toThrow(hint)
  })

  it('does not print a body of the wrong type in the error', () => {
    expect(() => toBytes({ card: 'confidential' } as unknown as WebhookBody)).toThrow(
      expect.objectContaining({ message: expect.not.stringContaining('confidential') as string }) as Error,
    )
  })
})

describe('a copy', () => {
  it.each([
    ['a Uint8Array', new Uint8Array([0, 0x7b, 0x7d]).subarray(1)],
    ['an ArrayBuffer', new Uint8Array([0x7b, 0x7d]).buffer],
    ['a Buffer, as a Buffer', Buffer.from('{}')],
    ['bytes of another realm', runInNewContext('new Uint8Array([0x7b, 0x7d])') as Uint8Array],
  ] as const)('is made of %s', (_, body) => {
    const bytes = toBytes(body)
    const copy = copyOf(bytes)
    expect([...copy]).toEqual([0x7b, 0x7d])
    expect(copy.buffer).not.toBe(bytes.buffer)
    expect(Buffer.isBuffer(copy)).toBe(Buffer.isBuffer(body))
  })
})

describe('unsharedBytes', () => {
  it.each([
    ['a Uint8Array', new Uint8Array([0x7b, 0x7d])],
    ['bytes of another realm', runInNewContext('new Uint8Array([0x7b, 0x7d])') as Uint8Array],
  ])('does not copy %s', (_, bytes) => {
    expect(unsharedBytes(bytes)).toBe(bytes)
  })

  it('copies bytes in shared memory', () => {
    const shared = new Uint8Array(new SharedArrayBuffer(4)).subarray(1, 3)
    shared.set([0x7b, 0x7d])
    for (const bytes of [shared, Buffer.from(shared.buffer, 1, 2)]) {
      const copy = unsharedBytes(bytes)
      expect(copy.buffer).toBeInstanceOf(ArrayBuffer)
      expect([...copy]).toEqual([0x7b, 0x7d])
    }
  })
})
