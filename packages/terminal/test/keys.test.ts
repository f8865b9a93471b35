import { describe, expect, it } from 'vitest'
import { file } from './support/files.js'
import { readKey, readKeys, type KeyOptions } from '../src/index.js'
import { FakeIo, type World } from './support/fake-io.js'

const secret = 'test_signature_key'
const apiKey = 'test_api_key'

function keysOf(options: KeyOptions, world: World) {
  return readKeys(options, new FakeIo(world), { need: [] })
}

describe('readKeys', () => {
  it.each([
    { place: 'the environment', text: undefined, env: { WEBHOOK_SECRET: secret } },
    { place: 'a file', text: secret, env: {} },
    { place: 'a file, before the environment', text: secret, env: { SERVICE_SIGNATURE_SECRET: 'other' } },
    { place: 'a file that ends with a line break', text: `${secret}\n`, env: {} },
    { place: 'a file that ends with a line break of Windows', text: `${secret}\r\n`, env: {} },
  ])('takes the secret from $place', async ({ text, env }) => {
    const options = text === undefined ? {} : { secretFile: file(text) }
    expect(await keysOf(options, { env })).toEqual({ secret })
  })

  it('takes a key from standard input, and says on a terminal that it waits', async () => {
    for (const [isTyped, says] of [
      [true, 'Reading standard input; Ctrl-D ends it.\n'],
      [false, ''],
    ] as const) {
      const io = new FakeIo({ stdin: `${secret}\n`, isTyped })
      expect(await readKeys({ secretFile: '-' }, io, { need: ['secret'] })).toEqual({ secret })
      expect({ text: io.text, errors: io.errors }).toEqual({ text: '', errors: says })
    }
  })

  it('takes the variable for this command alone first, unless it is empty', async () => {
    const both = { SERVICE_SIGNATURE_SECRET: secret, WEBHOOK_SECRET: 'another_key' }
    expect(await keysOf({}, { env: both })).toEqual({ secret })
    const empty = { SERVICE_SIGNATURE_SECRET: '', WEBHOOK_SECRET: secret }
    expect(await keysOf({}, { env: empty })).toEqual({ secret })
  })

  it('takes the API key from a file, and from each variable', async () => {
    for (const name of ['SERVICE_SIGNATURE_API_KEY', 'PAYMENT_API_KEY'])
      expect(await keysOf({}, { env: { [name]: apiKey } })).toEqual({ apiKey })
    expect(await keysOf({ apiKeyFile: file(apiKey) }, {})).toEqual({ apiKey })
  })

  it('gives the key that is not needed too, and nothing where nothing is there', async () => {
    const io = new FakeIo({ env: { WEBHOOK_SECRET: secret, PAYMENT_API_KEY: apiKey } })
    expect(await readKeys({}, io, { need: ['secret'] })).toEqual({ secret, apiKey })
    expect(await keysOf({}, {})).toEqual({})
  })

  it('gives the texts as they are, where they are looked at', async () => {
    const io = new FakeIo({ env: { SERVICE_SIGNATURE_API_KEY: ' a ' } })
    const keys = await readKeys({ secretFile: file(`${secret} \n`) }, io, { need: ['secret'], asIs: true })
    expect(keys).toEqual({ secret: `${secret} `, apiKey: ' a ' })
  })

  it.each([
    {
      fault: 'no secret',
      need: 'secret',
      env: {},
      says: 'No signing secret. Set WEBHOOK_SECRET or pass --secret-file <file>.',
    },
    {
      fault: 'an empty variable',
      need: 'secret',
      env: { SERVICE_SIGNATURE_SECRET: '' },
      says: 'No signing secret: SERVICE_SIGNATURE_SECRET is empty. ',
    },
    {
      fault: 'no API key',
      need: 'apiKey',
      env: { WEBHOOK_SECRET: secret },
      says: 'No account API key. Set PAYMENT_API_KEY or pass --api-key-file <file>.',
    },
    {
      fault: 'a space at the end',
      need: 'secret',
      env: { WEBHOOK_SECRET: `${secret} ` },
      says: 'The key in WEBHOOK_SECRET has white space',
    },
    {
      fault: 'a single character',
      need: 'secret',
      env: { WEBHOOK_SECRET: 'Z' },
      says: 'The key in WEBHOOK_SECRET is a single character.',
    },
  ] as const)(
    'refuses the environment with $fault, and does not show the key',
    async ({ need, env, says }) => {
      const error: unknown = await readKeys({}, new FakeIo({ env }), { need: [need] }).catch(
        (error: unknown) => error,
      )
      expect(error).toMatchObject({
        code: 'ERR_USAGE',
        exitCode: 2,
        message: expect.stringContaining(says) as string,
      })
      expect((error as Error).message).not.toMatch(/test_signature_key|Z/)
    },
  )

  it.each([
    { fault: 'nothing in it', content: '', says: 'is empty' },
    { fault: 'a line break only', content: '\n', says: 'is empty' },
    { fault: 'two line breaks', content: `${secret}\n\n`, says: 'has white space' },
    { fault: 'a space in front', content: ` ${secret}`, says: 'has white space' },
    { fault: 'a byte order mark', content: `\ufeff${secret}`, says: 'or a byte order mark' },
    { fault: 'UTF-16', content: Buffer.from(`\ufeff${secret}`, 'utf16le'), says: 'is not UTF-8 text' },
  ])('refuses a file with $fault, and does not show the key', async ({ content, says }) => {
    const path = file(content)
    const error: unknown = await keysOf({ secretFile: path }, {}).catch((error: unknown) => error)
    expect(error).toMatchObject({ exitCode: 2, message: expect.stringContaining(says) as string })
    expect((error as Error).message).toContain(`The key in ${path}`)
    expect((error as Error).message).not.toContain(secret)
  })

  it.each([
    ['/nowhere/secret.txt', 'Cannot read /nowhere/secret.txt: there is no such file.'],
    ['/', 'Cannot read /: it is a directory.'],
    ['/dev/null/x', 'Cannot read /dev/null/x: ENOTDIR.'],
    ['a\0b', 'ERR_INVALID_ARG_VALUE'],
  ])('refuses a file that cannot be read: %j', async (secretFile, says) => {
    await expect(keysOf({ secretFile }, {})).rejects.toThrow(says)
  })

  it('refuses standard input that fails, or that is named for both keys', async () => {
    const io = new FakeIo()
    io.stdin.destroy(new Error('gone'))
    await expect(readKey('secret', { secretFile: '-' }, io)).rejects.toThrow(
      'Cannot read standard input: an unknown error.',
    )
    const both = { secretFile: '-', apiKeyFile: '-' }
    await expect(keysOf(both, { stdin: secret })).rejects.toThrow('Standard input can be read only once')
  })
})
