import { fromBase64 } from '@service-signature/deliveries'
import { describe, expect, it } from 'vitest'
import { formatFor, fromHex, hasCarriageReturn, printBytes, readBytes, toBase64 } from '../src/byte-text.js'

const bytes = (...list: number[]) => Uint8Array.from(list)

describe('text of bytes', () => {
  it('prints and reads text, hex and base64', () => {
    const body = Buffer.from('{"a": "\u00e9"}')
    expect(printBytes(body, 'text')).toBe('{"a": "\u00e9"}')
    expect(printBytes(body, 'hex')).toBe('7b2261223a2022c3a9227d')
    expect(printBytes(body, 'base64')).toBe('eyJhIjogIsOpIn0=')
    for (const format of ['text', 'hex', 'base64'] as const) {
      expect(readBytes(printBytes(body, format), format)).toEqual(Uint8Array.from(body))
    }
  })

  it('keeps a byte order mark, and shows bytes that are not UTF-8 as U+FFFD', () => {
    expect(printBytes(bytes(0xef, 0xbb, 0xbf, 0x7b), 'text')).toBe('\ufeff{')
    expect(printBytes(bytes(0x7b, 0xff), 'text')).toBe('{\ufffd')
  })

  it('breaks long hex and base64 into lines, without an empty line at the end', () => {
    expect(printBytes(new Uint8Array(64), 'hex')).toBe(`${'0'.repeat(64)}\n${'0'.repeat(64)}`)
    expect(printBytes(new Uint8Array(60), 'base64')).toBe(`${'A'.repeat(76)}\n${'A'.repeat(4)}`)
  })

  it('reads base64 of megabytes, both alphabets, with and without padding and line breaks', () => {
    const large = new Uint8Array(1_000_000).fill(0xfb)
    expect(toBase64(large)).toBe(Buffer.from(large).toString('base64'))
    expect(fromBase64('-_8')).toEqual(bytes(0xfb, 0xff))
    expect(fromBase64(' +/\n8= ')).toEqual(bytes(0xfb, 0xff))
  })

  it.each([
    [() => fromHex('7b 2'), 'This is not hex: the number of digits is odd.'],
    [() => fromHex('7b zz'), 'This is not hex: "z" is not a hex digit.'],
    [() => fromBase64('eyJ9{'), 'This is not base64: it contains "{".'],
    [() => fromBase64('eyJ9a'), 'This is not base64: its length is wrong.'],
  ])('says what is wrong: %s', (read, message) => {
    expect(read).toThrow(message)
  })

  it('shows UTF-8 as text and everything else as hex', () => {
    expect(formatFor(Buffer.from('{"a":1}\r\n'))).toBe('text')
    expect(formatFor(bytes(0x1f, 0x8b))).toBe('hex')
  })

  it('knows what a text field loses', () => {
    expect(hasCarriageReturn(Buffer.from('a\r\nb'))).toBe(true)
    expect(hasCarriageReturn(Buffer.from('a\nb'))).toBe(false)
  })
})
