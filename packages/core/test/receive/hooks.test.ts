import { expect, it, vi } from 'vitest'
import { createReceiver } from '../../src/entries/receiver.web.js'
import { HookCaller } from '../../src/receive/hooks.js'
import { stackOf } from '../../src/receive/report.js'

it('warns once about each failure', () => {
  const warn = vi.fn<(message: string, detail: string) => void>()
  const hooks = new HookCaller({}, { warn })
  for (const detail of ['first', 'second']) hooks.warn('onVerified threw', detail)
  hooks.warn('The store failed', 'refused')
  expect(warn.mock.calls).toEqual([
    ['onVerified threw', 'first'],
    ['The store failed', 'refused'],
  ])
})

it('describes whatever a hook throws', () => {
  const broken = Object.defineProperty(new Error('x'), 'stack', {
    get() {
      throw new Error('the source map is broken')
    },
  })
  const hostile = new Proxy(new Error('x'), {
    getPrototypeOf() {
      throw new Error('no prototype')
    },
  })
  expect(stackOf(new TypeError('no such table'))).toMatch(/^TypeError: no such table\n {4}at /)
  expect(stackOf('refused')).toBe('a value was thrown that is not an Error')
  for (const thrown of [broken, hostile])
    expect(stackOf(thrown)).toBe('the stack of the error cannot be read')
})

it('warns on the console if there is no Node', async () => {
  const warn = vi.spyOn(console, 'warn').mockReturnValue()
  const onRejected = () => Promise.reject(new Error('metrics down'))
  const receiver = createReceiver({ secret: 'test_secret', onRejected })
  const reception = receiver.open({ request: undefined, header: undefined, encoding: undefined })
  const refusal = await reception.refuse(errorOf(reception.checkHeader.bind(reception)))
  expect(refusal).toMatchObject({ status: 401 })
  await expect.poll(() => warn.mock.calls.length > 0).toBe(true)
  const lines = warn.mock.calls.map(([text]) => String(text))
  warn.mockRestore()
  expect(lines).toEqual([
    expect.stringMatching(/^ServiceSignatureWarning: onRejected threw; .*\nError: metrics down\n/),
  ])
})

it('warns of the first refusal of each code on the console, with its cause, if there is no Node', async () => {
  const warn = vi.spyOn(console, 'warn').mockReturnValue()
  const secret = () => Promise.reject(new Error('the safe is shut'))
  const receiver = createReceiver({ secret, now: () => 1743090080_000 })
  const header = `t=1743090080,v3=${'0'.repeat(64)}`
  const body = new Uint8Array([0x7b, 0x7d])
  for (const given of [undefined, header, undefined, header]) {
    const reception = receiver.open({ request: undefined, header: given, encoding: undefined })
    await Promise.resolve()
      .then(() => reception.checkHeader().verify(body))
      .catch(reception.refuse.bind(reception))
  }
  const lines = warn.mock.calls.map(([text]) => String(text))
  warn.mockRestore()
  expect(lines).toEqual([
    expect.stringMatching(
      /^ServiceSignatureWarning: The delivery was refused: ERR_SIGNATURE_MISSING: .*\n.*"onRejected"/,
    ),
    expect.stringMatching(
      /^ServiceSignatureWarning: The delivery was refused: ERR_SECRET_UNAVAILABLE: .*\nThe cause: Error: the safe is shut\n/,
    ),
  ])
})

function errorOf(step: () => unknown): unknown {
  try {
    step()
  } catch (error) {
    return error
  }
  return undefined
}
