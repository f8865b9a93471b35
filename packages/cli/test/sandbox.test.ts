import { afterEach, describe, expect, it, vi } from 'vitest'
import * as command from './support/command.js'

const main = vi.hoisted(() => vi.fn<(argv: readonly string[], io: MainIo) => Promise<number>>())

vi.mock('@service-signature/sandbox', () => ({ main }))

interface MainIo {
  readonly stdout: { write: (text: string) => unknown }
  readonly stderr: { write: (text: string) => unknown }
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
})
