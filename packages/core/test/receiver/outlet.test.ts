import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { expect, it, vi } from 'vitest'
import { openOutlet } from '../../src/receiver/outlet.js'

const report = vi.fn(() => ({ outcome: 'accepted', durationMs: 1 }) as const)

it('publishes on the channel of Node', () => {
  const listener = vi.fn()
  subscribe('service-signature:delivery', listener)
  openOutlet().publish(report)
  unsubscribe('service-signature:delivery', listener)
  openOutlet().publish(report)
  expect(listener.mock.calls).toEqual([
    [{ outcome: 'accepted', durationMs: 1 }, 'service-signature:delivery'],
  ])
  // It is made for listeners alone.
  expect(report).toHaveBeenCalledTimes(1)
})

it('has the console alone where there is no Node', () => {
  const warn = vi.spyOn(console, 'warn').mockReturnValue()
  vi.stubGlobal('process', undefined)
  const { publish, warn: tell } = openOutlet()
  vi.unstubAllGlobals()
  publish(report)
  tell('onVerified failed', new TypeError('no such table'))
  tell('onVerified failed', new TypeError('no such table'))
  tell('The store failed', 'refused')
  const lines = warn.mock.calls.map(([text]) => String(text))
  warn.mockRestore()
  expect(lines).toHaveLength(2)
  expect(lines[0]).toMatch(/^ServiceSignatureWarning: onVerified failed\nTypeError: no such table\n {4}at /)
  expect(lines[1]).toBe('ServiceSignatureWarning: The store failed\nit threw no Error')
})
