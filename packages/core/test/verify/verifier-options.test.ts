import { describe, expect, it } from 'vitest'
import type { VerifierOptions } from '../../src/entries/index.js'
import { entries } from '../support/entries.js'

const secret = 'test_signature_key'
const UNSET = 'Is the environment variable set? If it is set only later, as after a build, pass a function:'
const PROMISE = 'must be a string, got a promise: await it'
const OMIT = 'Is the environment variable set? If there is no such key now, leave the item out.'

// Each message names the given value, the allowed values and, for a misspelled name, the name that was probably meant.
describe.each(entries)('options of createVerifier on $digest', ({ createVerifier }) => {
  it.each<[message: string, options: unknown]>([
    ['createVerifier: expected an options object, got undefined', undefined],
    ['createVerifier: expected an options object, got null', null],
    ['createVerifier: expected an options object, got string: pass { secret }', secret],
    ['createVerifier has no option "secrets". Did you mean "secret"?', { secrets: [secret] }],
    ['createVerifier has no option "apikey". Did you mean "apiKey"?', { apikey: secret }],
    ['createVerifier has no option "api_key". Did you mean "apiKey"?', { secret, api_key: secret }],
    ['createVerifier has no option "sercet". Did you mean "secret"?', { sercet: secret }],
    ['createVerifier has no option "version". Did you mean "versions"?', { secret, version: ['v3'] }],
    ['createVerifier has no option "tolerance". Did you mean "toleranceSeconds"?', { secret, tolerance: 5 }],
    [
      'has no option "futureTolerance". Did you mean "futureToleranceSeconds"?',
      { secret, futureTolerance: 5 },
    ],
    [
      'createVerifier has no option "algorithm". There are: secret, apiKey, versions, expect, toleranceSeconds, futureToleranceSeconds, now, replay, replayKey, onStoreError, storeTimeoutSeconds.',
      { secret, algorithm: 'sha256' },
    ],
    ['createVerifier has no option "x". There are: ', { secret, x: 1 }],
    [`"secret" is missing, and v3 is signed with it. ${UNSET} secret: () => process.env.WEBHOOK_SECRET`, {}],
    [
      `"secret" is missing, and v3 is signed with it. ${UNSET} secret: () => process.env.WEBHOOK_SECRET`,
      { secret: undefined },
    ],
    [
      `"secret" is missing, and v2 is signed with it. ${UNSET} secret: () => process.env.WEBHOOK_SECRET`,
      { apiKey: secret, versions: ['v1', 'v2'] },
    ],
    [
      `"apiKey" is missing, and v1 is signed with it. ${UNSET} apiKey: () => process.env.PAYMENT_API_KEY`,
      { secret, versions: ['v3', 'v1'] },
    ],
    ['"secret" must be a string, got null', { secret: null }],
    ['"secret" must be a string, got number', { secret: 7 }],
    ['"secret" must be a string, got object', { secret: Buffer.from(secret) }],
    ['"secret" must be a string, got object', { secret: { get: secret } }],
    [`"secret" ${PROMISE}`, { secret: Promise.resolve(secret) }],
    [`"apiKey" ${PROMISE}`, { apiKey: Promise.resolve(secret), versions: ['v1'] }],
    [`"secret[1]" ${PROMISE}`, { secret: [secret, Promise.resolve(secret)] }],
    ['createVerifier: expected an options object, got a promise: await it', Promise.resolve({ secret })],
    ['"secret" is empty. Is the environment variable set?', { secret: '' }],
    ['"secret" is an empty list: it must contain at least one key', { secret: [] }],
    ['"secret[1]" is empty. Is the environment variable set?', { secret: [secret, ''] }],
    [`"secret[0]" is undefined. ${OMIT}`, { secret: [undefined] }],
    [`"secret[1]" is undefined. ${OMIT}`, { secret: [secret, undefined] }],
    [`"secret[1]" is undefined. ${OMIT}`, { secret: [secret, , secret] }], // eslint-disable-line no-sparse-arrays -- an item can be missing
    [`"apiKey[1]" is undefined. ${OMIT}`, { apiKey: [secret, undefined], versions: ['v1'] }],
    ['"secret[1]" must be a string, got null', { secret: [secret, null] }],
    ['"secret" has white space at its start or end', { secret: `${secret}\n` }],
    ['"secret" has white space at its start or end', { secret: ` ${secret}` }],
    ['"secret" has white space at its start or end', { secret: '\ufeff' + secret }],
    ['"secret[0]" has white space at its start or end', { secret: [`${secret} `] }],
    ['"secret[0]" is one character long; did you pass secret[0]?', { secret: Array.from(secret) }],
    ['"apiKey" is empty. Is the environment variable set?', { apiKey: '', versions: ['v1'] }],
    ['"versions" must be a list of one or more of v1, v2, v3', { secret, versions: [] }],
    ['"versions" must be a list of one or more of v1, v2, v3', { secret, versions: 'v3' }],
    ['"versions" contains an unknown version; expected v1, v2, v3', { secret, versions: ['v4'] }],
    ['"versions" contains an unknown version; expected v1, v2, v3', { secret, versions: ['v3', 'v4'] }],
    ['"versions" contains an unknown version; expected v1, v2, v3', { secret, versions: ['__proto__'] }],
    ['"versions" contains an unknown version; expected v1, v2, v3', { secret, versions: [3] }],
    ['"versions" contains an unknown version; expected v1, v2, v3', { secret, versions: [['v3']] }],
    ['"versions" contains a duplicate', { secret, versions: ['v3', 'v3'] }],
    ['"now" must be a function that returns milliseconds, got number', { secret, now: 1743090080000 }],
    [
      '"toleranceSeconds" must be greater than 0 (or Infinity), got string',
      { secret, toleranceSeconds: '300' },
    ],
    [
      '"toleranceSeconds" must be greater than 0 (or Infinity), got object',
      { secret, toleranceSeconds: null },
    ],
    ['"futureToleranceSeconds" must be 0 or greater, got boolean', { secret, futureToleranceSeconds: false }],
  ])('throws a TypeError: %s', (message, options) => {
    const call = () => createVerifier(options as VerifierOptions)
    expect(call).toThrow(TypeError)
    expect(call).toThrow(message)
  })

  it.each<[message: string, options: VerifierOptions]>([
    ['"toleranceSeconds" must be greater than 0 (or Infinity), got 0', { toleranceSeconds: 0 }],
    ['"toleranceSeconds" must be greater than 0 (or Infinity), got -1', { toleranceSeconds: -1 }],
    ['"toleranceSeconds" must be greater than 0 (or Infinity), got NaN', { toleranceSeconds: NaN }],
    ['"futureToleranceSeconds" must be 0 or greater, got -1', { futureToleranceSeconds: -1 }],
    ['"futureToleranceSeconds" must be 0 or greater, got NaN', { futureToleranceSeconds: NaN }],
    ['"futureToleranceSeconds" must be 0 or greater, got Infinity', { futureToleranceSeconds: Infinity }],
  ])('throws a RangeError: %s', (message, options) => {
    expect(() => createVerifier({ secret, ...options })).toThrow(new RangeError(message))
  })

  const text =
    'is the text of a missing value or of an object, and not a key. Is the environment variable set? Is a promise awaited?'
  const quotes = 'has quotes around it, which are not part of the key. Remove them where the variable is set.'
  const name =
    'is the name of a variable, and not its value: nothing replaced it. Check how the variable is set.'

  it.each([
    ['undefined', text],
    ['null', text],
    ['NaN', text],
    ['None', text],
    ['<no value>', text],
    ['[object Promise]', text],
    ['[object Object]', text],
    [`"${secret}"`, quotes],
    [`'${secret}'`, quotes],
    [`\`${secret}\``, quotes],
    ['"wsk_live/1aB3+CdE5f-Gh7.Ij9:KlMn2Op4=="', quotes],
    ['$SECRET', name],
    ['$WEBHOOK_SECRET_2', name],
    ['${WEBHOOK_SECRET}', name],
    ['${webhookSecret}', name],
    [`\${WEBHOOK_SECRET:-${secret}}`, name],
    ['${WEBHOOK_SECRET-none}', name],
    ['${{ secrets.WEBHOOK_SECRET }}', name],
    ['{{ .Values.webhookSecret }}', name],
    ['{{secret}}', name],
    ['%SECRET%', name],
    ['%WEBHOOK_SECRET%', name],
    ['%MY_WEBHOOK_SECRET%', name],
  ])('throws a TypeError for %s, which is not a key', (key, message) => {
    const call = (keys: object) => () =>
      createVerifier({ versions: ['v1', 'v3'], apiKey: secret, secret, ...keys })
    expect(call({ secret: key })).toThrow(TypeError)
    expect(call({ secret: key })).toThrow(`"secret" ${message}`)
    expect(call({ secret: [secret, key] })).toThrow(`"secret[1]" ${message}`)
    expect(call({ apiKey: key })).toThrow(`"apiKey" ${message}`)
    expect(call({ secret: key })).not.toThrow(secret)
  })

  it.each([
    'undefined_behaviour',
    'nullify',
    'key_or_null',
    'NULL',
    '{"k":"v"}',
    '{key}',
    '"key',
    'key"',
    '"one" and "two"',
    '"a b"',
    '\'a"',
    '""',
    '$2b$12$R9h/cIPz0gi.URNNX3kh2O',
    '$ecretOfMine1',
    '$aB3xYz9',
    'a$SECRET',
    '$SECRET-1',
    '${a-b',
    '${two words}',
    '%41%42%43',
    '%abc%',
    '<secret>',
    '[object]',
    '{{half}',
  ])('accepts %s, which could be a key', (key) => {
    expect(() => createVerifier({ secret: key })).not.toThrow()
  })

  it('never prints a key', () => {
    for (const wrong of [` ${secret}`, [secret, ''], [`${secret}\n`], { [secret]: 1 }]) {
      try {
        createVerifier({ secret: wrong as string })
        expect.unreachable()
      } catch (error) {
        expect(String((error as Error).stack)).not.toContain(secret)
      }
    }
  })

  it('ignores options of a prototype', () => {
    const options = Object.create({ secret }) as VerifierOptions
    expect(() => createVerifier(options)).toThrow('"secret" is missing')
  })

  it('cannot be weakened through the list of versions that it exposes', () => {
    const versions: ('v2' | 'v3')[] = ['v2', 'v3']
    const listed = createVerifier({ secret, versions })
    versions.pop()
    expect(listed.versions).toEqual(['v2', 'v3'])
    for (const verifier of [listed, createVerifier({ secret })]) {
      expect(() => (verifier.versions as string[]).pop()).toThrow(TypeError)
    }
    expect(createVerifier({ secret }).versions).toEqual(['v3'])
  })
})
