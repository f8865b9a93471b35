import { describe, expect, it } from 'vitest'
import { readKeys } from '../../src/terminal/keys.js'
import { makeIo, run } from '../support/command.js'
import { file } from '../support/files.js'
import { apiKey, bothKeys, env, secret, signed, timestamp, v1 } from '../support/truth.js'

const stdin = '{}'
const now = timestamp
const withSecret = `${signed('{}')}\n`
const withApiKey = `t=${timestamp},v1=${v1('{}')}\n`

describe('where a key comes from', () => {
  it.each([
    { place: 'the environment', text: undefined, world: { env } },
    { place: 'a file', text: secret, world: {} },
    {
      place: 'a file, before the environment',
      text: secret,
      world: { env: { SERVICE_SIGNATURE_SECRET: 'other' } },
    },
    { place: 'a file that ends with a line break', text: `${secret}\n`, world: {} },
    { place: 'a file that ends with a line break of Windows', text: `${secret}\r\n`, world: {} },
  ])('$place', async ({ text, world }) => {
    const options = text === undefined ? [] : ['--secret-file', file(text)]
    const outcome = await run(['sign', '--versions', 'v3', ...options], { stdin, now, ...world })
    expect(outcome).toEqual({ code: 0, stdout: withSecret, stderr: '' })
  })

  it('standard input, where the body is elsewhere', async () => {
    const argv = ['sign', '--versions', 'v3', '--body', file('{}'), '--secret-file', '-']
    const outcome = await run(argv, { stdin: `${secret}\n`, now })
    expect(outcome).toEqual({ code: 0, stdout: withSecret, stderr: '' })
  })

  it.each(['SERVICE_SIGNATURE_SECRET', 'WEBHOOK_SECRET'])('the secret in the variable %s', async (name) => {
    const outcome = await run(['sign', '--versions', 'v3'], { stdin, now, env: { [name]: secret } })
    expect(outcome).toEqual({ code: 0, stdout: withSecret, stderr: '' })
  })

  it('the variable for this command alone comes first, unless it is empty', async () => {
    const both = { SERVICE_SIGNATURE_SECRET: secret, WEBHOOK_SECRET: 'another_key' }
    const first = await run(['sign', '--versions', 'v3'], { stdin, now, env: both })
    const empty = { SERVICE_SIGNATURE_SECRET: '', WEBHOOK_SECRET: secret }
    const second = await run(['sign', '--versions', 'v3'], { stdin, now, env: empty })
    expect([first.stdout, second.stdout]).toEqual([withSecret, withSecret])
  })

  it('the API key in a file, and in each variable', async () => {
    const outcomes = [
      await run(['sign'], { stdin, now, env: { SERVICE_SIGNATURE_API_KEY: apiKey } }),
      await run(['sign'], { stdin, now, env: { PAYMENT_API_KEY: apiKey } }),
      await run(['sign', '--api-key-file', file(apiKey)], { stdin, now }),
    ]
    expect(outcomes.map(({ stdout }) => stdout)).toEqual([withApiKey, withApiKey, withApiKey])
  })

  it('on a terminal, says what it waits for, next to the result', async () => {
    const outcome = await run(['sign', '--versions', 'v3'], { stdin, now, env, isTyped: true })
    expect(outcome).toEqual({
      code: 0,
      stdout: withSecret,
      stderr: 'Reading standard input; Ctrl-D ends it.\n',
    })
  })
})

describe('a key that is missing or cannot be right ends with 2, and is not shown', () => {
  it.each([
    {
      fault: 'no key at all',
      argv: [],
      says: 'No signing secret. Set WEBHOOK_SECRET or pass --secret-file <file>.',
    },
    {
      fault: 'an empty variable',
      argv: [],
      env: { SERVICE_SIGNATURE_SECRET: '' },
      says: 'SERVICE_SIGNATURE_SECRET is empty',
    },
    {
      fault: 'no secret for v3',
      argv: ['--versions', 'v3'],
      env: { SERVICE_SIGNATURE_API_KEY: apiKey },
      says: 'No signing secret. Set WEBHOOK_SECRET or pass --secret-file',
    },
    {
      fault: 'no API key for v1',
      argv: ['--versions', 'v1'],
      env,
      says: 'No account API key. Set PAYMENT_API_KEY or pass --api-key-file <file>.',
    },
    {
      fault: 'a space at the end of a variable',
      argv: [],
      env: { SERVICE_SIGNATURE_SECRET: `${secret} ` },
      says: 'The key in SERVICE_SIGNATURE_SECRET has white space',
    },
    {
      fault: 'a variable of one character',
      argv: [],
      env: { SERVICE_SIGNATURE_SECRET: 'Z' },
      says: 'SERVICE_SIGNATURE_SECRET is a single character',
    },
  ])('$fault', async ({ argv, env = {}, says }) => {
    const outcome = await run(['sign', ...argv], { stdin, env })
    expect(outcome).toEqual({ code: 2, stdout: '', stderr: expect.stringContaining(says) as string })
    expect(outcome.stderr).not.toContain(secret)
    expect(outcome.stderr).not.toContain('Z')
  })

  it.each([
    { fault: 'an empty file', content: '', says: 'is empty' },
    { fault: 'a file with a line break only', content: '\n', says: 'is empty' },
    { fault: 'two line breaks', content: `${secret}\n\n`, says: 'has white space' },
    { fault: 'a space in front', content: ` ${secret}`, says: 'has white space' },
    { fault: 'a byte order mark', content: `\ufeff${secret}`, says: 'or a byte order mark' },
    { fault: 'UTF-16', content: Buffer.from(`\ufeff${secret}`, 'utf16le'), says: 'is not UTF-8 text' },
  ])('a file with $fault', async ({ content, says }) => {
    const path = file(content)
    const outcome = await run(['sign', '--secret-file', path], { stdin })
    expect(outcome).toEqual({ code: 2, stdout: '', stderr: expect.stringContaining(says) as string })
    expect(outcome.stderr).toContain(`The key in ${path}`)
    expect(outcome.stderr).not.toContain(secret)
  })
})

describe('an input that cannot be read ends with 2', () => {
  it.each([
    {
      fault: 'no such file',
      path: '/nowhere/secret.txt',
      says: 'Cannot read /nowhere/secret.txt: there is no such file.',
    },
    { fault: 'a directory', path: '/', says: 'Cannot read /: it is a directory.' },
    { fault: 'another error', path: '/dev/null/x', says: 'Cannot read /dev/null/x: ENOTDIR.' },
    { fault: 'a path that cannot be', path: 'a\0b', says: 'ERR_INVALID_ARG_VALUE' },
  ])('$fault', async ({ path, says }) => {
    const outcome = await run(['sign', '--secret-file', path], { stdin })
    expect(outcome).toEqual({ code: 2, stdout: '', stderr: expect.stringContaining(says) as string })
  })

  it('an error without a code', async () => {
    const { io } = makeIo({ env })
    io.stdin.destroy(new Error('gone'))
    await expect(readKeys({ secretFile: '-' }, io, { need: [] })).rejects.toThrow(
      'Cannot read standard input: an unknown error.',
    )
  })

  it.each([
    { twice: 'the body and a key', argv: ['--secret-file', '-'] },
    { twice: 'both keys', argv: ['--body', '/dev/null', '--secret-file', '-', '--api-key-file', '-'] },
  ])('standard input for $twice', async ({ argv }) => {
    const outcome = await run(['sign', ...argv], { stdin: secret })
    expect(outcome).toEqual({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining('Standard input can be read only once') as string,
    })
  })
})

describe('readKeys', () => {
  it('gives the key that is not needed too, if it is there', async () => {
    const { io } = makeIo({ env: bothKeys })
    await expect(readKeys({}, io, { need: ['secret'] })).resolves.toEqual({ secret, apiKey })
  })

  it('gives nothing where nothing is needed and nothing is there', async () => {
    await expect(readKeys({}, makeIo().io, { need: [] })).resolves.toEqual({})
  })

  it('gives the texts as they are, where they are looked at', async () => {
    const { io } = makeIo({ env: { SERVICE_SIGNATURE_API_KEY: ' a ' } })
    const keys = await readKeys({ secretFile: file(`${secret} \n`) }, io, { need: ['secret'], asIs: true })
    expect(keys).toEqual({ secret: `${secret} `, apiKey: ' a ' })
  })
})
