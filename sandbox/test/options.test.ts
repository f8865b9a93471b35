import { describe, expect, it } from 'vitest'
import { startSandbox, type SandboxOptions } from '../server/index.js'

/** Whatever it is, it must not start. */
function start(options: unknown): Promise<unknown> {
  return startSandbox(options as SandboxOptions)
}

describe('startSandbox checks its options', () => {
  it.each([
    ['prot', 'port'],
    ['Port', 'port'],
    ['ports', 'port'],
    ['pot', 'port'],
    ['pport', 'port'],
    ['sede', 'seed'],
    ['sead', 'seed'],
    ['hostname', 'host'],
    ['timescale', 'timeScale'],
    ['time_scale', 'timeScale'],
    ['timeScael', 'timeScale'],
    ['canonical', 'canonicalForm'],
    ['allow-remote', 'allowRemote'],
    ['allowremotes', 'allowRemote'],
    ['log', 'logger'],
    ['clok', 'clock'],
  ])('%s: did you mean %s?', async (name, meant) => {
    const message = `startSandbox has no option "${name}". Did you mean "${meant}"?`
    await expect(start({ [name]: 1 })).rejects.toThrow(new TypeError(message))
  })

  it.each(['x', 'webhook', 'se'])('%s: lists what there is', async (name) => {
    await expect(start({ [name]: 1 })).rejects.toThrow(
      new TypeError(
        `startSandbox has no option "${name}". There are: port, host, allowHosts, publicUrl, token, seed, keySeed, checks, timeScale, bodyStyle, canonicalForm, cardTokenEvents, allowRemote, defaultEndpoint, dataFolder, keep, logger, onAttempt, clock.`,
      ),
    )
  })

  it.each([
    [null, 'startSandbox: expected an options object, got null'],
    [3000, 'startSandbox: expected an options object, got number'],
  ])('refuses %j in the place of options', async (options, message) => {
    await expect(start(options)).rejects.toThrow(new TypeError(message))
  })

  it.each([
    ['port', '3000', '"port" must be a whole number from 0 (any that is free) to 65535, got string'],
    ['host', '', '"host" must be the name or the address to listen on, such as 127.0.0.1, got ""'],
    ['host', 1, '"host" must be the name or the address to listen on, such as 127.0.0.1, got number'],
    ['allowHosts', 'sandbox', '"allowHosts" must be a list of names, such as ["sandbox"]'],
    ['allowHosts', [''], '"allowHosts" must contain names such as sandbox or sandbox:4000, got ""'],
    ['allowHosts', [1], '"allowHosts" must contain names such as sandbox or sandbox:4000, got 1'],
    [
      'allowHosts',
      ['sandbox', 'http://sandbox:4000'],
      '"allowHosts" must contain names such as sandbox or sandbox:4000, got "http://sandbox:4000"',
    ],
    ['seed', '', '"seed" must be a text that is not empty, or a whole number'],
    ['seed', 1.5, '"seed" must be a text that is not empty, or a whole number'],
    ['seed', null, '"seed" must be a text that is not empty, or a whole number'],
    ['keySeed', '', '"keySeed" must be a text that is not empty, got ""'],
    ['checks', 'yes', '"checks" must be one of none, own, all'],
    [
      'timeScale',
      '1000',
      '"timeScale" must be a number above 0 (1000 makes retries come 1,000 times as fast), got string',
    ],
    ['canonicalForm', 'json', '"canonicalForm" must be one of source, ecmascript, python'],
    ['allowRemote', 'yes', '"allowRemote" must be true or false, got string'],
    ['defaultEndpoint', 1, '"defaultEndpoint" must be an address with http: or https:, got number'],
    ['defaultEndpoint', 'shop', '"defaultEndpoint" must be an address with http: or https:'],
    [
      'defaultEndpoint',
      'http://192.0.2.1/',
      '"defaultEndpoint" must lead to this machine (localhost, 127.0.0.1 or [::1]), unless the sandbox is started with allowRemote',
    ],
    ['dataFolder', '', '"dataFolder" must be the path of a folder, got ""'],
    ['dataFolder', 1, '"dataFolder" must be the path of a folder, got number'],
    ['keep', '64', '"keep" must be a whole number from 1 to 1000000, got string'],
    ['logger', console, '"logger" must be a function that takes a line'],
    ['onAttempt', 'print', '"onAttempt" must be a function that takes an attempt'],
    ['clock', {}, '"clock" must have the functions "now" and "after", as manualClock() has'],
    ['clock', { now: Date.now }, '"clock" must have the functions "now" and "after", as manualClock() has'],
  ])('refuses the wrong type of %s', async (name, value, message) => {
    await expect(start({ [name]: value })).rejects.toThrow(new TypeError(message))
  })

  it.each(['sandbox', 'http://sandbox/page', 'ftp://sandbox', 'http://user@sandbox/', 1])(
    'refuses %j as publicUrl',
    async (publicUrl) => {
      const message = '"publicUrl" must be an address without a path, such as http://localhost:4000'
      await expect(start({ publicUrl })).rejects.toThrow(new TypeError(message))
    },
  )

  it.each([
    ['port', -1],
    ['port', 65_536],
    ['port', 1.5],
    ['port', NaN],
    ['keep', 0],
    ['keep', 1.5],
    ['keep', NaN],
    ['keep', 1_000_001],
    ['timeScale', 0],
    ['timeScale', -1],
    ['timeScale', NaN],
    ['timeScale', Infinity],
  ])('refuses %s %d', async (name, value) => {
    await expect(start({ [name]: value })).rejects.toThrow(RangeError)
  })

  it('takes nothing from a prototype', async () => {
    const options = Object.create({ host: 'nowhere.invalid' }) as SandboxOptions
    const sandbox = await startSandbox(options)
    await sandbox.close()
    expect(sandbox.url).toMatch(/^http:\/\/127\.0\.0\.1:/)
  })
})

describe('startSandbox', () => {
  it('listens on loopback, on a port that is free', async () => {
    const [first, second] = await Promise.all([startSandbox(), startSandbox()])
    expect(first.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
    expect(first.url).not.toBe(second.url)
    await Promise.all([first.close(), second.close()])
  })

  it('says why it cannot listen', async () => {
    const sandbox = await startSandbox()
    const { port } = new URL(sandbox.url)
    await expect(startSandbox({ port: Number(port) })).rejects.toThrow('EADDRINUSE')
    await sandbox.close()
  })

  it.each([['seed'], [7]])('with the seed %j it is the same every time', async (seed) => {
    const about = async (options: SandboxOptions) => {
      const { secret, apiKeys, accountId, organizationId, close } = await startSandbox(options)
      await close()
      return { secret, apiKeys, accountId, organizationId }
    }
    const first = await about({ seed })
    expect(await about({ seed })).toEqual(first)
    const others = [await about({ seed: `${seed}x` }), await about({}), await about({})]
    const values = [first, ...others].flatMap(({ apiKeys, ...rest }) => [
      ...Object.values(apiKeys),
      ...Object.values(rest),
    ])
    expect(new Set(values).size).toBe(4 * 6)
  })
})
