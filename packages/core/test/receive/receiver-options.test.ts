import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { createDispatcher, createVerifier, memoryReplayStore } from '../../src/entries/index.js'
import { createNodeReceiver, type ReceiverOptions } from '../../src/entries/node.js'
import { createReceiver } from '../../src/entries/receiver.js'
import { secret } from '../support/deliveries.js'

const make = (options: unknown) => () => createNodeReceiver(options as ReceiverOptions<unknown>, 'fix')
const verifier = createVerifier({ secret })

describe('the limit of the body', () => {
  it.each<[bytes: number, options: ReceiverOptions<unknown>]>([
    [1_048_576, { secret }],
    [1_048_576, { secret, versions: ['v3'] }],
    [65_536, { secret, versions: ['v2'] }],
    [65_536, { secret, versions: ['v3', 'v2'] }],
    [65_536, { apiKey: 'test_api_key', versions: ['v1'] }],
    [1_048_576, { verifier }],
    [65_536, { verifier: createVerifier({ secret, versions: ['v2'] }) }],
    [2_000_000, { secret, versions: ['v2'], bodyLimit: 2_000_000 }],
  ])('is %i bytes for %j', (bytes, options) => {
    expect(createReceiver(options).limits.bodyLimit).toBe(bytes)
  })
})

describe('the options of an adapter', () => {
  it.each<[name: string, options: ReceiverOptions<unknown>]>([
    ['a secret alone', { secret }],
    ['a verifier alone', { verifier }],
    [
      'all options',
      {
        secret: [secret, 'previous_key'],
        apiKey: 'test_api_key',
        versions: ['v3', 'v1'],
        toleranceSeconds: Infinity,
        futureToleranceSeconds: 0,
        now: Date.now,
        bodyLimit: 1,
        bodyTimeoutSeconds: 0.001,
        dispatcher: createDispatcher(),
        onVerified: () => undefined,
        onRejected: () => undefined,
      },
    ],
    ['undefined for unused options', { secret, verifier: undefined, dispatcher: undefined } as never],
  ])('are %s', (_name, options) => {
    expect(make(options)).not.toThrow()
  })

  it.each<[message: string, options: unknown]>([
    ['serviceSignature: expected an options object, got undefined', undefined],
    ['serviceSignature: expected an options object, got string: pass { secret }', secret],
    ['serviceSignature has no option "bodylimit". Did you mean "bodyLimit"?', { secret, bodylimit: 5 }],
    ['serviceSignature has no option "onReject". Did you mean "onRejected"?', { secret, onReject: () => 1 }],
    ['"secret" is missing, and v3 is signed with it. Is the environment variable set?', {}],
    ['"secret" is empty', { secret: '' }],
    ['"verifier" must be one that createVerifier returned, got object', { verifier: {} }],
    ['"verifier" must be one that createVerifier returned, got null', { verifier: null }],
    ['"verifier" must be one that createVerifier returned, got string', { verifier: secret }],
    ['pass "secret" to createVerifier', { verifier, secret }],
    ['pass "expect" to createVerifier', { verifier, expect: { account: 'acc_1' } }],
    ['"expect" must have "account", "live" or both', { secret, expect: {} }],
    ['"name" must be a string that is not empty, got an empty one', { secret, name: '' }],
    ['"name" must be a string that is not empty, got number', { secret, name: 5 }],
    [
      '"verifier" already has a "replay" store; pass "replay" once',
      { verifier: createVerifier({ secret, replay: memoryReplayStore() }), replay: memoryReplayStore() },
    ],
    ['pass "toleranceSeconds" to createVerifier', { verifier, toleranceSeconds: 5 }],
    [
      '"dispatcher" must be one that createDispatcher returned, got function',
      { secret, dispatcher: () => undefined },
    ],
    ['"dispatcher" must be one that createDispatcher returned, got null', { secret, dispatcher: null }],
    ['"onRejected" must be a function, got object', { secret, onRejected: console }],
    ['"onVerified" must be a function, got null', { secret, onVerified: null }],
    ['"bodyLimit" must be a whole number greater than 0, got string', { secret, bodyLimit: '1mb' }],
    ['"bodyTimeoutSeconds" must be', { secret, bodyTimeoutSeconds: '30' }],
  ])('are rejected when the server starts: %s', (message, options) => {
    expect(make(options)).toThrow(TypeError)
    expect(make(options)).toThrow(message)
  })

  it.each<[message: string, options: unknown]>([
    ['"bodyLimit" must be a whole number greater than 0, got 0', { secret, bodyLimit: 0 }],
    ['"bodyLimit" must be a whole number greater than 0, got 1.5', { secret, bodyLimit: 1.5 }],
    ['"bodyLimit" must be a whole number greater than 0, got Infinity', { secret, bodyLimit: Infinity }],
    ['"bodyTimeoutSeconds" must be greater than 0', { secret, bodyTimeoutSeconds: 0 }],
    ['"bodyTimeoutSeconds" must be greater than 0', { secret, bodyTimeoutSeconds: Infinity }],
    ['"bodyTimeoutSeconds" must be greater than 0', { secret, bodyTimeoutSeconds: NaN }],
    ['"toleranceSeconds" must be', { secret, toleranceSeconds: 0 }],
  ])('are rejected if out of bounds: %s', (message, options) => {
    expect(make(options)).toThrow(RangeError)
    expect(make(options)).toThrow(message)
  })
})

it('a printed receiver shows no key', () => {
  const receiver = createReceiver({ secret: 'a_very_secret_key', apiKey: 'an_api_key', onRejected: () => 1 })
  for (const text of [inspect(receiver, { depth: null, showHidden: true }), JSON.stringify(receiver)]) {
    expect(text).not.toMatch(/a_very_secret_key|an_api_key/)
  }
})
