import { afterEach, expect, it, vi } from 'vitest'
import { OwnClaims } from '../src/index.js'

afterEach(() => {
  vi.useRealTimers()
})

function claimsAtTime() {
  vi.useFakeTimers({ toFake: ['performance'] })
  return new OwnClaims(60)
}

it('has a claim until it ends, by its own token', () => {
  const claims = claimsAtTime()
  claims.add('key', 'mine', true)
  expect(claims.has('key')).toBe(true)
  claims.end('key', 'another')
  expect(claims.has('key')).toBe(true)
  claims.end('key', 'mine')
  expect(claims.has('key')).toBe(false)
})

it('has a claim no longer than its lease', () => {
  const claims = claimsAtTime()
  claims.add('key', 'mine', true)
  vi.advanceTimersByTime(59_999)
  expect(claims.has('key')).toBe(true)
  vi.advanceTimersByTime(1)
  expect(claims.has('key')).toBe(false)
})

it('has no claim that was not confirmed, and knows its token', () => {
  const claims = claimsAtTime()
  claims.add('key', 'lost', false)
  expect(claims.has('key')).toBe(false)
  expect(claims.unconfirmedToken('key')).toBe('lost')
  expect(claims.unconfirmedToken('another')).toBeUndefined()
})

it('keeps a live claim when another one of the same key was not confirmed', () => {
  const claims = claimsAtTime()
  claims.add('key', 'mine', true)
  claims.add('key', 'lost', false)
  expect(claims.has('key')).toBe(true)
  expect(claims.unconfirmedToken('key')).toBeUndefined()
})

it('remembers no claims that have lapsed', () => {
  const claims = claimsAtTime()
  for (let second = 0; second < 100_000; second++) {
    claims.add(`key ${second}`, 'token', second % 2 === 0)
    vi.advanceTimersByTime(1000)
  }
  expect(claims.size).toBe(60)
})
