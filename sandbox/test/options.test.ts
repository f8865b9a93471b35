import { describe, expect, it } from 'vitest'
import { startSandbox, type SandboxOptions } from '../server/index.js'

/** Whatever it is, it must not start. */
const start = (options: unknown) => startSandbox(options as SandboxOptions)

const HOST = '"host" must be the name or the address to listen on, such as 127.0.0.1, got'
const SEED = '"seed" must be a text that is not empty, or a whole number'
const TOKEN = '"token" must be 16 to 100 letters, digits, "-", "." or "_"'
const CLOCK = '"clock" must have the functions "now" and "after", as manualClock() has'
const NAMES = '"allowHosts" must contain names such as sandbox or sandbox:4000, got'
const ADDRESS = '"defaultEndpoint" must be an address with http: or https:'
const TIME_SCALE =
  '"timeScale" must be a number above 0 (1000 makes retries come 1,000 times as fast), got string'
const OUTSIDE =
  '"defaultEndpoint" must lead to this machine (localhost, 127.0.0.1 or [::1]), unless the sandbox is started with allowRemote'
const PUBLIC_URL = '"publicUrl" must be an address without a path, such as http://localhost:4000'

describe('startSandbox refuses', () => {
  it.each([
    ['prot', 'Did you mean "port"?'],
    ['time_scale', 'Did you mean "timeScale"?'],
    [
      'webhook',
      'There are: port, host, allowHosts, publicUrl, token, seed, keySeed, checks, timeScale, bodyStyle, canonicalForm, cardTokenEvents, allowRemote, defaultEndpoint, dataFolder, keep, logger, onAttempt, clock.',
    ],
  ])('the option %s, and helps: %s', async (name, help) => {
    const message = `startSandbox has no option "${name}". ${help}`
    await expect(start({ [name]: 1 })).rejects.toThrow(new TypeError(message))
  })

  it.each([null, 3000])('%j in the place of options', async (options) => {
    const message = `startSandbox: expected an options object, got ${options === null ? 'null' : 'number'}`
    await expect(start(options)).rejects.toThrow(new TypeError(message))
  })

  it.each([
    ['port', '3000', '"port" must be a whole number from 0 (any that is free) to 65535, got string'],
    ['host', '', `${HOST} ""`],
    ['host', 1, `${HOST} number`],
    ['allowHosts', 'sandbox', '"allowHosts" must be a list of names, such as ["sandbox"]'],
    ['allowHosts', [''], `${NAMES} ""`],
    ['allowHosts', ['sandbox', 'http://sandbox:4000'], `${NAMES} "http://sandbox:4000"`],
    ['publicUrl', 'http://sandbox/page', PUBLIC_URL],
    ['publicUrl', 1, PUBLIC_URL],
    ['token', 'quotes"quotes"quotes', TOKEN],
    ['token', 1234567890123456, TOKEN],
    ['seed', '', SEED],
    ['checks', 'yes', '"checks" must be one of none, own, all'],
    ['timeScale', '1000', TIME_SCALE],
    ['canonicalForm', 'json', '"canonicalForm" must be one of source, ecmascript, python'],
    ['allowRemote', 'yes', '"allowRemote" must be true or false, got string'],
    ['defaultEndpoint', '', `${ADDRESS}, got ""`],
    ['defaultEndpoint', 'shop', ADDRESS],
    ['defaultEndpoint', 'http://192.0.2.1/', OUTSIDE],
    ['dataFolder', '', '"dataFolder" must be the path of a folder, got ""'],
    ['keep', '64', '"keep" must be a whole number from 1 to 1000000, got string'],
    ['logger', console, '"logger" must be a function that takes a line'],
    ['onAttempt', 'print', '"onAttempt" must be a function that takes an attempt'],
    ['clock', { now: Date.now }, CLOCK],
  ])('a value of %s that it cannot have: %j', async (name, value, message) => {
    await expect(start({ [name]: value })).rejects.toThrow(new TypeError(message))
  })

  it.each([
    ['port', [-1, 65_536, 1.5, NaN]],
    ['keep', [0, 1.5, NaN, 1_000_001]],
    ['timeScale', [0, -1, NaN, Infinity]],
  ])('numbers of %s out of bounds: %j', async (name, values) => {
    for (const value of values) await expect(start({ [name]: value })).rejects.toThrow(RangeError)
  })

  it('a port that is in use', async () => {
    const sandbox = await startSandbox()
    const { port } = new URL(sandbox.url)
    await expect(startSandbox({ port: Number(port) })).rejects.toThrow('EADDRINUSE')
    await sandbox.close()
  })
})

describe('startSandbox', () => {
  it('listens on loopback, on a port that is free, and takes nothing from a prototype', async () => {
    const options = Object.create({ host: 'nowhere.invalid' }) as SandboxOptions
    const [first, second] = await Promise.all([startSandbox(options), startSandbox()])
    expect(first.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
    expect(first.url).not.toBe(second.url)
    await Promise.all([first.close(), second.close()])
  })

  /** What depends on the seeds. */
  async function valuesOf(options: SandboxOptions): Promise<readonly string[]> {
    const { secret, apiKeys, accountId, organizationId, close } = await startSandbox(options)
    await close()
    return [secret, ...Object.values(apiKeys), accountId, organizationId]
  }

  it.each([['seed'], [7]])('is the same every time with the seed %j', async (seed) => {
    const first = await valuesOf({ seed })
    expect(await valuesOf({ seed })).toEqual(first)
    const others = [await valuesOf({ seed: `${seed}x` }), await valuesOf({}), await valuesOf({})]
    expect(new Set([first, ...others].flat()).size).toBe(4 * 6)
  })

  it('has the same secret, keys and account with a keySeed, whatever the seed is', async () => {
    const first = await valuesOf({ keySeed: 'mine', seed: 1 })
    expect(await valuesOf({ keySeed: 'mine', seed: 2 })).toEqual(first)
    expect(await valuesOf({ keySeed: 'other', seed: 1 })).not.toContain(first[0])
  })
})
