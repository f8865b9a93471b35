import { inspect } from 'node:util'
import { expect } from 'vitest'
import { createSecretSource, type FetchedSecretSource } from '../../../src/secrets/fetch-secret.js'
import { checkFetchOptions } from '../../../src/secrets/fetched/check-options.js'
import type { FetchSecretOptions } from '../../../src/secrets/fetched/options.js'
import { NEW_SECRET, SECRET } from './payment-service.js'

export const API_KEY = 'key_of_the_account'

export interface TestSource {
  readonly source: FetchedSecretSource
  /** The pauses between attempts, in seconds. None of them was waited for. */
  readonly pauses: readonly number[]
  /** Lets the clock go on, or back. */
  readonly pass: (seconds: number) => void
  readonly now: () => number
}

/** A source whose clock stands still, and whose pauses take no time. */
export function createTestSource(options: Partial<FetchSecretOptions>, chance = 0.5): TestSource {
  const pauses: number[] = []
  let now = 1_743_090_080_000
  const settings = checkFetchOptions({
    baseUrl: 'https://api.example.com',
    apiKey: API_KEY,
    now: () => now,
    ...options,
  })
  const source = createSecretSource({
    ...settings,
    random: () => chance,
    sleep: (seconds) => {
      pauses.push(seconds)
      return Promise.resolve()
    },
  })
  return {
    source,
    pauses,
    pass(seconds) {
      now += seconds * 1000
    },
    now: () => now,
  }
}

export interface Refusal extends Error {
  readonly retryAfterSeconds: number
}

/** What a promise is rejected with: an error of ours that shows no key. */
export async function refusalOf(promise: Promise<unknown>): Promise<Refusal> {
  const error: unknown = await promise.then(
    () => expect.fail('it was not refused'),
    (reason: unknown) => reason,
  )
  expect(error).toHaveProperty('name', 'SecretFetchError')
  expect(error).toHaveProperty('retryAfterSeconds', expect.any(Number))
  expectNoKeys(error)
  return error as Refusal
}

/** Looks everywhere that a log, a debugger or a serializer looks. */
export function expectNoKeys(value: unknown, ...keys: readonly string[]): void {
  const seen = [
    inspect(value, { depth: Infinity, showHidden: true, getters: true }),
    inspect(value, { depth: Infinity, showHidden: true }),
    JSON.stringify(value),
    String(value),
  ].join('\n')
  for (const key of [API_KEY, SECRET, NEW_SECRET, ...keys]) expect(seen).not.toContain(key)
}
