import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { paint, processIo } from '../src/index.js'
import { FakeIo } from './support/fake-io.js'

function ioOf(isTTY: boolean | undefined, env: Record<string, string> = {}) {
  const stdout = Object.assign(new PassThrough(), isTTY === undefined ? {} : { isTTY })
  return processIo({ stdin: new PassThrough(), stdout, stderr: new PassThrough(), env })
}

describe('color', () => {
  it.each([
    { where: 'on a terminal', isTTY: true, env: {}, color: true },
    { where: 'in a pipe', isTTY: undefined, env: {}, color: false },
    { where: 'on a terminal with NO_COLOR', isTTY: true, env: { NO_COLOR: '1' }, color: false },
    { where: 'on a terminal with an empty NO_COLOR', isTTY: true, env: { NO_COLOR: '' }, color: true },
    { where: 'on a terminal that knows none', isTTY: true, env: { TERM: 'dumb' }, color: false },
    { where: 'in a pipe with FORCE_COLOR', isTTY: undefined, env: { FORCE_COLOR: '1' }, color: true },
    { where: 'in a pipe with an empty FORCE_COLOR', isTTY: undefined, env: { FORCE_COLOR: '' }, color: true },
    { where: 'with both', isTTY: undefined, env: { FORCE_COLOR: '1', NO_COLOR: '1' }, color: true },
    { where: 'on a terminal with FORCE_COLOR=0', isTTY: true, env: { FORCE_COLOR: '0' }, color: false },
    {
      where: 'on a terminal with FORCE_COLOR=false',
      isTTY: true,
      env: { FORCE_COLOR: 'false' },
      color: false,
    },
  ])('$where: $color', ({ isTTY, env, color }) => {
    expect(ioOf(isTTY, env).hasColor).toBe(color)
  })

  it('is put around the text, and only where there is color', () => {
    expect(paint(new FakeIo({ hasColor: true }), 'red', 'no')).toBe('\u001b[31mno\u001b[39m')
    expect(paint(new FakeIo(), 'red', 'no')).toBe('no')
  })
})

describe('the world of a process', () => {
  it('has its streams, its environment and its clock', () => {
    const stdin = new PassThrough()
    const stdout = new PassThrough()
    const stderr = new PassThrough()
    const env = { A: 'b' }
    const io = processIo({ stdin, stdout, stderr, env })
    expect(io).toMatchObject({ env, isTerminal: false })
    expect([io.stdin, io.stdout, io.stderr]).toEqual([stdin, stdout, stderr])
    expect(io.now).toBe(Date.now)
    expect(io.width).toBe(80)
    const widthOf = (columns: number) =>
      processIo({ stdin, stdout: Object.assign(stdout, { columns }), stderr, env }).width
    expect([widthOf(120), widthOf(0)]).toEqual([120, 80])
    expect(ioOf(true).isTerminal).toBe(true)
  })

  it('does not touch standard input before it is read, because that alone keeps a process alive', () => {
    const streams = {
      get stdin(): never {
        throw new Error('touched')
      },
      stdout: new PassThrough(),
      stderr: new PassThrough(),
      env: {},
    }
    expect(processIo(streams)).toHaveProperty('env')
  })
})
