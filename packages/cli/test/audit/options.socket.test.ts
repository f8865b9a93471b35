import { describe, expect, it, vi } from 'vitest'
import { CASES } from '../../src/audit/cases.js'
import { UsageError } from '../../src/exit.js'
import { run } from '../support/command.js'
import { apiKey, secret } from '../support/truth.js'
import { audit, auditAsJson } from './support/audit.js'
import { endpointOf, v1Of } from './support/recipe.js'
import { serve } from './support/serve.js'

const wrong = [
  [{ versions: 'v4' }, '--versions'],
  [{ versions: '' }, '--versions'],
  [{ timeout: '0' }, '--timeout'],
  [{ timeout: 'soon' }, '--timeout'],
  [{ timeout: '3601' }, '--timeout'],
  [{ timeout: 'Infinity' }, '--timeout'],
  [{ pace: '-1' }, '--pace'],
  [{ pace: '1.5' }, '--pace'],
  [{ pace: 'slow' }, '--pace'],
  [{ pace: '60001' }, '--pace'],
  [{ only: 'no such case' }, 'No case has "no such case" in its name'],
  [{ secretFile: '/dev/null/secret' }, 'Cannot read /dev/null/secret'],
] as const

describe('the options of an audit', () => {
  it.each(wrong)('%j are refused, and nothing is sent', async (options, reason) => {
    const listener = vi.fn()
    const url = await serve(listener)
    const failed = audit(url, options)
    await expect(failed).rejects.toThrow(UsageError)
    await expect(failed).rejects.toThrow(reason)
    expect(listener).not.toHaveBeenCalled()
  })

  it('are those of the command line', async () => {
    const url = await serve(endpointOf({ isFresh: () => true }))
    const env = { SERVICE_SIGNATURE_SECRET: secret, SERVICE_SIGNATURE_API_KEY: apiKey }
    const world = { env, now: Date.now() / 1000 }
    const rest = ['--json', '--pace', '1', '--timeout', '5', '--versions', 'v3']
    const good = await run(['audit', url, '--only', 'tampered', ...rest], world)
    expect(good).toMatchObject({ code: 0, stderr: '' })
    expect(JSON.parse(good.stdout)).toMatchObject({ target: url, score: 100 })
    expect(await run(['audit', url, '--only', 'stale', ...rest], world)).toMatchObject({ code: 1 })
    expect(await run(['audit', 'http://192.0.2.1/', ...rest], world)).toMatchObject({ code: 2 })
    expect(await run(['audit', url.replace(/:\d+/, ':1'), ...rest], world)).toMatchObject({ code: 3 })
  })
})

describe('--only', () => {
  it('chooses cases by their names, in any case', async () => {
    const { cases } = await auditAsJson(await serve(endpointOf({})), { only: 'STALE' })
    expect(cases.map(({ name }) => name)).toEqual(['stale by an hour', 'stale, with a new time'])
  })

  it('finds the same case again as the first', async () => {
    const listener = vi.fn(endpointOf({}))
    const { cases } = await auditAsJson(await serve(listener), { only: 'genuine purchase' })
    expect(cases).toHaveLength(1)
    expect(listener).toHaveBeenCalledOnce()
  })

  it('finds no case that is not for the versions', async () => {
    const failed = audit('http://127.0.0.1/', { only: 'digest of v2 as v3', versions: 'v2' })
    await expect(failed).rejects.toThrow(UsageError)
  })
})

describe('the keys', () => {
  it('are to be there', async () => {
    const failed = audit('http://127.0.0.1/', {}, { env: { SERVICE_SIGNATURE_API_KEY: apiKey } })
    await expect(failed).rejects.toThrow('No signing secret. Set WEBHOOK_SECRET or pass --secret-file')
    const withoutApiKey = audit(
      'http://127.0.0.1/',
      { versions: 'v1' },
      { env: { SERVICE_SIGNATURE_SECRET: secret } },
    )
    await expect(withoutApiKey).rejects.toThrow(
      'No account API key. Set PAYMENT_API_KEY or pass --api-key-file',
    )
  })

  it('need not be both, and then it is said what may go unseen', async () => {
    const env = { SERVICE_SIGNATURE_SECRET: secret }
    const { score, notes } = await auditAsJson(await serve(endpointOf({})), { only: 'a' }, { env })
    expect(score).toBe(100)
    expect(notes).toHaveLength(1)
    expect(notes[0]).toMatch(/^There was no API key/)
    const { stdout } = await audit(await serve(endpointOf({})), { only: 'stale' }, { env })
    expect(stdout).toContain(notes[0])
  })

  it('may be the API key alone for an endpoint that verifies v1', async () => {
    const url = await serve(endpointOf({ vouches: ({ t, v1 }, body) => v1 === v1Of(body, t!) }))
    const env = { SERVICE_SIGNATURE_API_KEY: apiKey }
    const { notes, cases } = await auditAsJson(url, { only: 'a', versions: 'v1' }, { env })
    expect(cases.filter(({ passed }) => !passed).map(({ name }) => name)).toEqual(['tampered encoding'])
    expect(notes).toEqual([])
  })
})

describe('the cases', () => {
  it('are many, have names of their own, and fit the table', () => {
    expect(CASES.length).toBeGreaterThanOrEqual(45)
    const names = CASES.map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
    for (const { name, sent, risk } of CASES) {
      expect(name.length, name).toBeLessThanOrEqual(23)
      expect(sent.length, sent).toBeLessThanOrEqual(36)
      expect(risk, name).toMatch(/^[A-Z].*\.$/)
    }
  })
})
