import { EventEmitter } from 'node:events'
import { PassThrough } from 'node:stream'
import { expect, it, vi } from 'vitest'
import { start, type Process } from '../src/main.js'

function processWith(...argv: readonly string[]) {
  const emitter = new EventEmitter()
  const exit = vi.fn<(code: number) => void>()
  const process: Process & { stdout: PassThrough; stderr: PassThrough } = {
    argv: ['node', 'service-signature', ...argv],
    env: {},
    stdin: new PassThrough(),
    stdout: new PassThrough(),
    stderr: new PassThrough(),
    once: (signal, listener) => emitter.once(signal, listener),
    off: (signal, listener) => emitter.off(signal, listener),
    exit,
  }
  return { process, emitter, exit }
}

it('the process gets the exit code, and is left to end by itself', async () => {
  const { process, exit } = processWith('sign', '--timestamp', 'x')
  await start(process)
  expect(process.exitCode).toBe(2)
  expect(String(process.stderr.read())).toContain('--timestamp must be')
  expect(exit).not.toHaveBeenCalled()
})

it('Ctrl-C ends it with 130', async () => {
  const { process, emitter, exit } = processWith('--version')
  await start(process)
  emitter.emit('SIGINT')
  expect(exit).toHaveBeenCalledExactlyOnceWith(130)
})

it.each(['stdout', 'stderr'] as const)('does not fail when the reader of %s leaves', async (name) => {
  const { process, exit } = processWith('--version')
  await start(process)
  process[name].emit('error', Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }))
  expect(exit).not.toHaveBeenCalled()
  expect(process.exitCode).toBe(0)
})

it.each([
  { name: 'stdout', says: 'error: Cannot write the result: write ENOSPC.\n' },
  { name: 'stderr', says: 'null' },
] as const)('a full disk under $name is one', async ({ name, says }) => {
  const { process, exit } = processWith('sign', '--timestamp', 'x')
  await start(process)
  process.stderr.read()
  process[name].emit('error', Object.assign(new Error('write ENOSPC'), { code: 'ENOSPC' }))
  expect(exit).toHaveBeenCalledExactlyOnceWith(70)
  expect(String(process.stderr.read())).toBe(says)
})

it('the command sandbox runs until Ctrl-C, which ends it with 0', async () => {
  const { process, emitter, exit } = processWith('sandbox', '--port', '0')
  const ended = start(process)
  await expect.poll(() => String(process.stdout.read())).toContain('http://127.0.0.1:')
  emitter.emit('SIGINT')
  await ended
  expect(process.exitCode).toBe(0)
  expect(exit).not.toHaveBeenCalled()
})
