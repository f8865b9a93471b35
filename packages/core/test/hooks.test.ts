import { expect, it, vi } from 'vitest'
import { HookCaller } from '../src/hooks.js'
import { createReceiver } from '../src/receiver.web.js'

it('warns once about each failure, with the stack of its cause', () => {
  const warn = vi.fn<(message: string, detail: string) => void>()
  const hooks = new HookCaller({}, { warn })
  hooks.warn('onVerified threw', new TypeError('no such table'))
  hooks.warn('onVerified threw', new TypeError('no such table'))
  hooks.warn('The store failed', 'refused')
  expect(warn.mock.calls).toEqual([
    ['onVerified threw', expect.stringMatching(/^TypeError: no such table\n {4}at /)],
    ['The store failed', 'a value was thrown that is not an Error'],
  ])
})

it('warns on the console if there is no Node', async () => {
  const warn = vi.spyOn(console, 'warn').mockReturnValue()
  const onRejected = () => Promise.reject(new Error('metrics down'))
  const receiver = createReceiver({ secret: 'test_secret', onRejected })
  const reception = receiver.open({ request: undefined, header: undefined, encoding: undefined })
  expect(reception.refuse(errorOf(reception.checkHeader.bind(reception)))).toMatchObject({ status: 401 })
  await vi.waitUntil(() => warn.mock.calls.length > 0)
  const lines = warn.mock.calls.map(([text]) => String(text))
  warn.mockRestore()
  expect(lines).toEqual([
    expect.stringMatching(/^ServiceSignatureWarning: onRejected threw; .*\nError: metrics down\n/),
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
