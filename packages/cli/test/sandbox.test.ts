import { afterEach, describe, expect, it, vi } from 'vitest'
import { run } from '../src/commands/sandbox.js'
import type { Io } from '../src/io.js'
import * as command from './support/command.js'

const main = vi.hoisted(() => vi.fn<(argv: readonly string[], io: MainIo) => Promise<number>>())

vi.mock('@service-signature/sandbox', () => ({ main }))

interface MainIo {
  readonly stdout: { write: (text: string) => unknown }
  readonly stderr: { write: (text: string) => unknown }
  readonly env?: Readonly<Record<string, string | undefined>>
  readonly once: (signal: 'SIGTERM', listener: () => void) => unknown
  readonly off: (signal: 'SIGTERM', listener: () => void) => unknown
}

afterEach(() => {
  main.mockReset()
})

describe('sandbox', () => {
  it('hands on all that follows it and where to print, and ends as the sandbox ends', async () => {
    main.mockImplementation((_, { stdout, stderr }) => {
      stdout.write('a result')
      stderr.write('a remark')
      return Promise.resolve(3)
    })
    const argv = ['--port', '0', 'x', '--secret=y', '--help', '--', '--z']
    const outcome = await command.run(['sandbox', ...argv])
    expect(outcome).toEqual({ code: 3, stdout: 'a result', stderr: 'a remark' })
    expect(main).toHaveBeenCalledExactlyOnceWith(argv, expect.anything())
  })

  it.each(['listen', 'trigger'])('%s is a command of the sandbox', async (name) => {
    main.mockImplementation((_, { env }) => Promise.resolve(Number(env?.['CODE'])))
    const argv = ['--list', 'x', '--forward-to=y', '--help']
    const outcome = await command.run([name, ...argv], { env: { CODE: '3' } })
    expect(outcome).toEqual({ code: 3, stdout: '', stderr: '' })
    expect(main).toHaveBeenCalledExactlyOnceWith([name, ...argv], expect.anything())
  })

  it('hears the signals of the process', async () => {
    const listener = () => undefined
    const before = process.listenerCount('SIGTERM')
    const counts: number[] = []
    main.mockImplementation((_, io) => {
      io.once('SIGTERM', listener)
      counts.push(process.listenerCount('SIGTERM') - before)
      io.off('SIGTERM', listener)
      counts.push(process.listenerCount('SIGTERM') - before)
      return Promise.resolve(0)
    })
    await command.run(['sandbox'])
    expect(counts).toEqual([1, 0])
  })

  const reject = (error: Error) => () => Promise.reject(error)
  const found = () => '/node_modules/@service-signature/sandbox/package.json'
  const notFound = (error: Error) => () => {
    throw error
  }

  it.each([
    [
      'npm and pnpm',
      'ERR_MODULE_NOT_FOUND',
      "Cannot find package '@service-signature/sandbox' imported from /x.js",
    ],
    ['Bun', 'ERR_MODULE_NOT_FOUND', "Cannot find module '@service-signature/sandbox' from '/x.js'"],
    [
      'Yarn PnP, an optional peer',
      'MODULE_NOT_FOUND',
      "@service-signature/cli tried to access @service-signature/sandbox (a peer dependency) but it isn't provided by your application",
    ],
    [
      'older Yarn PnP',
      'MISSING_PEER_DEPENDENCY',
      '@service-signature/cli tried to access @service-signature/sandbox',
    ],
    [
      'Yarn PnP, undeclared',
      'UNDECLARED_DEPENDENCY',
      'Your application tried to access @service-signature/sandbox',
    ],
  ])('prints the line that installs the package, if it is missing in %s', async (_, code, message) => {
    const error = Object.assign(new Error(message), { code })
    const failed = run([], {} as Io, { load: reject(error), resolve: notFound(error) })
    await expect(failed).rejects.toMatchObject({
      exitCode: 2,
      message:
        'The sandbox is a package of its own, and is not installed. Install it next to this command:\n' +
        'npm install --save-dev @service-signature/sandbox',
    })
  })

  it.each([
    ["Cannot find package 'fastify' imported from /node_modules/@service-signature/sandbox/dist/index.mjs"],
    ['@service-signature/sandbox tried to access fastify, but it is not declared in its dependencies'],
  ])('leaves every other error as it is: %s', async (message) => {
    const error = Object.assign(new Error(message), { code: 'ERR_MODULE_NOT_FOUND' })
    await expect(run([], {} as Io, { load: reject(error), resolve: found })).rejects.toBe(error)
  })

  it('looks for the package from where the command is', async () => {
    const error = new Error('The sandbox fails while it is loaded')
    await expect(run([], {} as Io, { load: reject(error) })).rejects.toBe(error)
  })
})
