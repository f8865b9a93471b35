import { expect, it } from 'vitest'
import { isExitError, UnreachableError } from '../src/index.js'

it('knows an error with an exit code, also that of another copy of the class', () => {
  class Copy extends Error {
    readonly exitCode = 3
  }
  expect(isExitError(new UnreachableError('no answer'))).toBe(true)
  expect(isExitError(new Copy())).toBe(true)
  expect(isExitError(new TypeError('a fault'))).toBe(false)
  expect(isExitError(undefined)).toBe(false)
})
