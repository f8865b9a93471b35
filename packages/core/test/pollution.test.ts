import { afterEach, describe, expect, it } from 'vitest'
import { createVerifier, verifySync, WebhookError } from '../src/entries/index.js'
import { checkHandler } from '../src/shared/check-handler.js'
import { secret } from './support/deliveries.js'

const polluted = ['detail', 'cause', 'dispatcher', 'expect', 'now', 'toleranceSeconds']

afterEach(() => {
  for (const name of polluted) Reflect.deleteProperty(Object.prototype, name)
})

/** Sets a property that every object then inherits. */
function pollute(name: string, value: unknown): void {
  Object.defineProperty(Object.prototype, name, { value, configurable: true, writable: true })
}

describe('a polluted Object.prototype', () => {
  it('gives an error neither a detail nor a cause', () => {
    const { message } = new WebhookError('ERR_SIGNATURE_MISSING')
    pollute('detail', 'injected')
    pollute('cause', 'injected')
    for (const error of [
      new WebhookError('ERR_SIGNATURE_MISSING'),
      new WebhookError('ERR_SIGNATURE_MISSING', {}),
    ]) {
      expect(error.message).toBe(message)
      expect(Object.hasOwn(error, 'cause')).toBe(false)
    }
  })

  it('is not a dispatcher instead of a handler', () => {
    pollute('dispatcher', { dispatch: () => Promise.resolve() })
    expect(() => {
      checkHandler(() => undefined, {}, 'a handler')
    }).not.toThrow()
  })

  it('sets no option of a verifier', () => {
    pollute('now', () => 0)
    pollute('toleranceSeconds', Infinity)
    pollute('expect', 'injected')
    expect(createVerifier({ secret }).versions).toEqual(['v3'])
    expect(() => verifySync('{}', `t=1,v3=${'0'.repeat(64)}`, { secret })).toThrow(
      expect.objectContaining({ code: 'ERR_TIMESTAMP_TOO_OLD' }) as Error,
    )
  })
})

it('an object with the tag of an ArrayBuffer is not a body', () => {
  const body = { byteLength: 2, [Symbol.toStringTag]: 'ArrayBuffer' }
  expect(() => verifySync(body as never, undefined, { secret })).toThrow('The body must be the raw bytes')
})
