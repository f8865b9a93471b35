import { serviceSignature } from '@service-signature/node'
import { describe, expect, it } from 'vitest'
import { secret } from './support/deliveries.js'

it('returns a named function, because hosts and tracers show the name', () => {
  const { name, length } = serviceSignature({ secret }, () => undefined)
  expect({ name, length }).toEqual({ name: 'serviceSignature', length: 2 })
})

describe('serviceSignature throws', () => {
  const dispatcher = { dispatch: () => Promise.resolve() }
  const handler = () => undefined

  it.each<[what: string, given: readonly unknown[], error: typeof Error, words: string]>([
    ['without options', [], TypeError, 'expected an options object'],
    ['for the secret alone', [secret, handler], TypeError, 'expected an options object'],
    ['without a handler', [{ secret }], TypeError, 'expected a handler, (webhook, req, res) => ..., or a'],
    ['for an object of handlers', [{ secret }, { POST: handler }], TypeError, 'expected a handler'],
    ['for a handler and a dispatcher', [{ secret, dispatcher }, handler], TypeError, 'pass one of the two'],
    ['for a misspelled option', [{ secret, bodylimit: 1 }, handler], TypeError, '"bodyLimit"'],
    ['for a number out of bounds', [{ secret, bodyLimit: 0 }, handler], RangeError, '"bodyLimit"'],
  ])('%s', (_what, given, error, words) => {
    const make = () => (serviceSignature as (...given: readonly unknown[]) => unknown)(...given)
    expect(make).toThrow(error)
    expect(make).toThrow(words)
    expect(make).not.toThrow(secret)
  })
})
