import { afterEach, expect, it, vi } from 'vitest'

afterEach(() => {
  vi.unstubAllGlobals()
})

// Jest's jsdom lacks these, and tests there may load a module that they never call.
it('the package can be loaded without TextEncoder, TextDecoder and Web Crypto', async () => {
  vi.resetModules()
  for (const name of ['TextEncoder', 'TextDecoder', 'crypto']) vi.stubGlobal(name, undefined)
  expect(Object.keys(await import('../src/index.web.js'))).toContain('explain')
})
