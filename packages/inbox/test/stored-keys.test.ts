import { afterEach, describe, expect, it, vi } from 'vitest'
import { WebhookError, type ReplayClaim } from '@service-signature/core'
import { StoredKeys, type KeyStatements } from '../src/index.js'

afterEach(() => {
  vi.useRealTimers()
})

const TIMES = { ttlSeconds: 3600, leaseSeconds: 60 }

/** A database that has one key, and that loses answers. */
function database(others: Partial<KeyStatements> = {}) {
  const steps: string[] = []
  const state: { holder?: string | undefined; losesAnswers: boolean } = { losesAnswers: false }
  const answered = async <Answer>(answer: Answer): Promise<Answer> => {
    await Promise.resolve()
    if (state.losesAnswers) throw new Error('connection lost')
    return answer
  }
  const statements: KeyStatements = {
    claim(_key, token) {
      steps.push('claim')
      state.holder ??= token
      return answered<ReplayClaim['status']>(state.holder === token ? 'new' : 'in-progress')
    },
    commit: () => answered(steps.push('commit')),
    release(_key, token) {
      steps.push('release')
      if (state.holder === token) state.holder = undefined
      return answered(undefined)
    },
    refusalOf: (cause) =>
      new WebhookError('ERR_REPLAY_STORE_UNAVAILABLE', { message: (cause as Error).message, cause }),
    ...others,
  }
  return { steps, state, keys: new StoredKeys(statements, TIMES) }
}

it.each(['claim', 'commit', 'release'] as const)('rejects with a refusal if %s fails', async (step) => {
  const { keys, state } = database()
  state.losesAnswers = true
  const { [step]: run } = keys
  await expect(run('key', 'token')).rejects.toMatchObject({
    code: 'ERR_REPLAY_STORE_UNAVAILABLE',
    cause: new Error('connection lost'),
  })
})

describe('a claim whose answer was lost', () => {
  it('is released by the next claim of this process, before its lease ends', async () => {
    const { keys, state, steps } = database()
    state.losesAnswers = true
    await expect(keys.claim('key')).rejects.toThrow('connection lost')
    state.losesAnswers = false
    expect(await keys.claim('key')).toMatchObject({ status: 'new' })
    expect(steps).toEqual(['claim', 'release', 'claim'])
  })

  it('is released later if the database is still down', async () => {
    const { keys, state } = database()
    state.losesAnswers = true
    await expect(keys.claim('key')).rejects.toThrow('connection lost')
    const lost = state.holder
    await expect(keys.claim('key')).rejects.toThrow('connection lost')
    expect(state.holder).not.toBe(lost)
    state.losesAnswers = false
    expect(await keys.claim('key')).toMatchObject({ status: 'new' })
  })

  it('is not released after a later claim was answered', async () => {
    const { keys, state, steps } = database()
    state.losesAnswers = true
    await expect(keys.claim('key')).rejects.toThrow()
    state.losesAnswers = false
    const { token } = await keys.claim('key')
    expect(await keys.claim('key')).toMatchObject({ status: 'in-progress' })
    expect(state.holder).toBe(token)
    expect(steps).toEqual(['claim', 'release', 'claim', 'claim'])
  })

  it('is also released at once where another process may get the retry', async () => {
    const { keys, state, steps } = database({ releasesAtOnce: true })
    state.losesAnswers = true
    await expect(keys.claim('key')).rejects.toThrow('connection lost')
    expect(steps).toEqual(['claim', 'release'])
    expect(state.holder).toBeUndefined()
  })

  it('is forgotten when its lease has ended', async () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    const { keys, state, steps } = database()
    state.losesAnswers = true
    await expect(keys.claim('key')).rejects.toThrow()
    state.losesAnswers = false
    vi.advanceTimersByTime(60_000)
    await keys.claim('key')
    expect(steps).toEqual(['claim', 'claim'])
  })
})
