import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { completeCase, type PlaygroundCase } from '../src/playground-case.js'
import { caseIn, fragmentOf, isSharedCase } from '../src/share-address.js'

const fragment = (given: PlaygroundCase) => fragmentOf(completeCase(given))

const given = {
  header: 't=1743090080,v3=abc',
  body: '{"name": "Zo\u00eb"}\r\n',
  versions: ['v2', 'v3'],
  receivedAt: 1743090092_000,
  toleranceSeconds: Infinity,
  futureToleranceSeconds: 0,
} as const satisfies PlaygroundCase

describe('an address', () => {
  it('holds a case, without its keys', async () => {
    const text = await fragment({ ...given, secret: 'the secret', apiKey: 'the API key' })
    expect(text).toMatch(/^#case=1\.[\w-]+$/)
    expect(isSharedCase(text)).toBe(true)
    expect(await caseIn(text)).toEqual(given)
  })

  it('is the same whatever the keys are', async () => {
    expect(await fragment({ ...given, secret: 'one', apiKey: ['two', 'three'] })).toBe(await fragment(given))
  })

  it('holds bytes that are not text, and a header that was sent twice or not at all', async () => {
    const bytes = Uint8Array.from([0x1f, 0x8b, 0xff])
    expect(await caseIn(await fragment({ body: bytes, header: ['a', 'b'] }))).toMatchObject({
      body: bytes,
      header: ['a', 'b'],
      receivedAt: 'header',
    })
    expect((await caseIn(await fragment({}))).header).toBeNull()
  })

  it.each([
    { ...given, secret: '"Zo\u00eb"' },
    { ...given, apiKey: ['other', ' v3=abc\n'] },
  ])('is not made if the delivery contains a key: %j', async (each) => {
    await expect(fragment(each)).rejects.toThrow(
      'The header or the body contains one of the keys, so it is not shared.',
    )
  })

  it('is not made of a delivery that is too large', async () => {
    const digests = Array.from({ length: 1250 }, (_, at) => createHash('sha256').update(String(at)).digest())
    await expect(fragment({ body: Buffer.concat(digests) })).rejects.toThrow(
      /^The delivery is too large for an address: \d+ /,
    )
  })

  it('of something else is not that of a case', () => {
    expect(['', '#digests', '#case=2.abc'].map(isSharedCase)).toEqual([false, false, false])
  })
})

async function packed(text: string): Promise<string> {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream('deflate-raw'))
  return `#case=1.${Buffer.from(await new Response(stream).arrayBuffer()).toString('base64url')}`
}

describe('a broken address', () => {
  const message = 'The address does not hold a whole delivery: it may have been cut.'

  it('is refused where it was cut', async () => {
    const whole = await fragment(given)
    await expect(caseIn(whole.slice(0, -9))).rejects.toThrow(message)
    await expect(caseIn('#case=1.')).rejects.toThrow(message)
    await expect(caseIn('#case=1.%7B')).rejects.toThrow(message)
  })

  it.each([
    '{',
    '[]',
    '{"header":5}',
    '{"versions":["v4"],"toleranceSeconds":"1","futureToleranceSeconds":"1"}',
  ])('is refused where it holds %s', async (text) => {
    await expect(caseIn(await packed(text))).rejects.toThrow(message)
  })

  it('is refused where it would unpack to many megabytes', async () => {
    await expect(caseIn(await packed(' '.repeat(5 * 1024 * 1024)))).rejects.toThrow(message)
  })
})
