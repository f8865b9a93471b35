import { expect, it, vi } from 'vitest'
import { createReceiver } from '../../src/receiver.web.js'
import { openOutlet } from '../../src/receiver/outlet.js'

const report = { outcome: 'accepted', durationMs: 1 } as const

it('makes a report only if the channel has a subscriber', () => {
  const publish = vi.fn()
  const make = vi.fn(() => report)
  const warn = vi.fn()
  openOutlet({ warn }).publish(make)
  openOutlet({ warn, deliveries: { hasSubscribers: false, publish } }).publish(make)
  expect(make).not.toHaveBeenCalled()
  openOutlet({ warn, deliveries: { hasSubscribers: true, publish } }).publish(make)
  expect(publish.mock.calls).toEqual([[report]])
})

it('gives each warning once, with the stack of its cause', () => {
  const warn = vi.fn<(message: string, detail: string) => void>()
  const outlet = openOutlet({ warn })
  outlet.warn('onVerified failed', new TypeError('no such table'))
  outlet.warn('onVerified failed', new TypeError('no such table'))
  outlet.warn('The store failed', 'refused')
  expect(warn.mock.calls).toEqual([
    ['onVerified failed', expect.stringMatching(/^TypeError: no such table\n {4}at /)],
    ['The store failed', 'it threw no Error'],
  ])
})

it('warns on the console where there is no Node', async () => {
  const warn = vi.spyOn(console, 'warn').mockReturnValue()
  const onRejected = () => Promise.reject(new Error('metrics down'))
  const { admit } = createReceiver({ secret: 'test_secret', onRejected })
  expect(() => admit({ request: undefined, header: undefined, encoding: undefined })).toThrow(/refused/)
  await vi.waitUntil(() => warn.mock.calls.length > 0)
  const lines = warn.mock.calls.map(([text]) => String(text))
  warn.mockRestore()
  expect(lines).toEqual([
    expect.stringMatching(/^ServiceSignatureWarning: onRejected failed; .*\nError: metrics down\n/),
  ])
})
