import { readFileSync } from 'node:fs'
import { Writable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { FakeIo } from '../../terminal/test/support/fake-io.js'
import { main } from '../src/main.js'
import { signBody } from '../src/send/signing.js'
import { run, runJson } from './support/command.js'
import { env, known, timestamp } from './support/truth.js'

const COMMANDS = ['init', 'sign', 'verify', 'explain', 'send', 'audit', 'secret']
const SANDBOX_COMMANDS = ['sandbox', 'listen', 'trigger']

describe('help', () => {
  it.each([
    ['--help'],
    ['-h'],
    ['help'],
    ...[...COMMANDS, ...SANDBOX_COMMANDS].flatMap((name) => [
      [name, '--help'],
      ['help', name],
    ]),
  ])('%s %s is on standard output, and fits a screen of 24 lines and 80 columns', async (...argv) => {
    const { code, stdout, stderr } = await run(argv)
    const lines = stdout.trimEnd().split('\n')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(lines.length).toBeLessThanOrEqual(24)
    expect(lines.filter((line) => line.length > 80)).toEqual([])
  })

  it.each(COMMANDS)('%s has an example that its own command line takes', async (name) => {
    const { stdout } = await run([name, '--help'])
    const [, example] = /\nExample:\n {2}npx service-signature (.*)\n/.exec(stdout)!
    expect(example!.split(' ')[0]).toBe(name)
    const options = example!.split(' ').filter((word) => word.startsWith('--'))
    for (const option of options) expect(stdout).toContain(`\n  ${option} `)
  })

  it.each(['verify', 'explain'])('%s names its exit codes', async (name) => {
    const { stdout } = await run([name, '--help'])
    expect(stdout).toContain('\nExit codes: 0 it verifies, 1 it is refused, 2 wrong use, 3 not reachable\n')
  })

  it('names every command', async () => {
    const { stdout } = await run(['--help'])
    for (const name of [...COMMANDS, ...SANDBOX_COMMANDS, 'help'])
      expect(stdout).toMatch(new RegExp(`^ {2}${name} `, 'm'))
  })

  it('without a command it is on standard error, and that is wrong use', async () => {
    const outcome = await run([])
    expect(outcome).toMatchObject({ code: 2, stdout: '' })
    expect(outcome.stderr).toMatch(/^Usage: service-signature/)
    expect(outcome.stderr).not.toContain('error:')
  })

  it('--version prints the version of the package', async () => {
    const manifest: unknown = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
    const outcome = await run(['--version'])
    expect(outcome).toEqual({
      code: 0,
      stdout: `${(manifest as { version: string }).version}\n`,
      stderr: '',
    })
  })
})

describe('wrong use ends with 2, and with a word on what is right', () => {
  it.each([
    {
      argv: ['verfy'],
      says: `Unknown command 'verfy'. Did you mean verify?\nFor what there is: npx service-signature --help\n`,
    },
    { argv: ['zzz'], says: `Unknown command 'zzz'.\nFor what there is: npx service-signature --help\n` },
    {
      argv: ['verify', '--boddy', 'x'],
      says: `Unknown option '--boddy'. Did you mean --body?\nFor what there is: npx service-signature verify --help\n`,
    },
    { argv: ['verify', '--boddy=x'], says: `Unknown option '--boddy'. Did you mean --body?\n` },
    { argv: ['verify', '--zzz'], says: `Unknown option '--zzz'.\n` },
    { argv: ['sign', '-x'], says: `Unknown option '-x'.\n` },
    { argv: ['sign', '--body'], says: `Option '--body <file>' argument missing.\n` },
    { argv: ['send'], says: `Missing required argument 'url'.\n` },
    {
      argv: ['verify', 'private'],
      says: `Too many arguments for 'verify'. Expected 0 arguments but got 1.\n`,
    },
    { argv: ['verify', '--', '--boddy=x'], says: `Too many arguments for 'verify'.` },
    { argv: ['--vrsion'], says: `Unknown option '--vrsion'. Did you mean --version?\n` },
  ])('$argv', async ({ argv, says }) => {
    const outcome = await run(argv)
    expect(outcome).toMatchObject({ code: 2, stdout: '' })
    expect(outcome.stderr).toContain(`error: ${says}`)
    expect(outcome.stderr).not.toContain('private')
  })

  it('an option that is known takes its value behind the sign too', async () => {
    const outcome = await run(['sign', '--timestamp=7', '--versions=v3', '--body=/dev/null'], { env })
    expect(outcome).toMatchObject({ code: 0, stderr: '' })
    expect(outcome.stdout).toMatch(/^t=7,v3=/)
  })
})

describe('a key on the command line is refused, and not shown', () => {
  it.each([
    { argv: ['sign', '--secret', 'private'], says: 'There is no --secret', instead: '--secret-file <file>' },
    { argv: ['sign', '--secret=private'], says: 'There is no --secret', instead: 'WEBHOOK_SECRET' },
    { argv: ['verify', '--key', 'private'], says: 'There is no --key', instead: 'WEBHOOK_SECRET' },
    {
      argv: ['secret', '--api-key=private'],
      says: 'There is no --api-key',
      instead: '--api-key-file <file>',
    },
    {
      argv: ['secret', '--organization-key', 'private'],
      says: 'There is no --organization-key',
      instead: '--organization-key-file <file>',
    },
    { argv: ['sandbox', '--token=private'], says: 'There is no --token', instead: 'SANDBOX_TOKEN' },
    { argv: ['--secret=private', 'sign'], says: 'There is no --secret', instead: '--secret-file' },
    {
      argv: ['sign', '--secret-fil=private'],
      says: `Unknown option '--secret-fil'`,
      instead: 'Did you mean --secret-file?',
    },
    {
      argv: ['sign', '-sprivate'],
      says: `Unknown option '-s'.`,
      instead: 'npx service-signature sign --help',
    },
    { argv: ['sign', '--json=private'], says: '--json takes no value.', instead: '' },
  ])('$argv', async ({ argv, says, instead }) => {
    const outcome = await run(argv, { env })
    expect(outcome).toMatchObject({ code: 2, stdout: '' })
    expect(outcome.stderr).toContain(says)
    expect(outcome.stderr).toContain(instead)
    expect(outcome.stderr).not.toContain('private')
  })

  it('it is said why', async () => {
    const { stderr } = await run(['sign', '--secret', 'private'])
    expect(stderr).toContain('can be read by others on this machine, and stays in the history of the shell')
  })
})

describe('errors as JSON are one document on standard output, and nothing else', () => {
  it.each([
    {
      argv: ['sign', '--zzz'],
      message: `Unknown option '--zzz'.\nFor what there is: npx service-signature sign --help`,
    },
    {
      argv: ['sign', '--timestamp', 'x'],
      message: '--timestamp must be a Unix time in seconds, such as 1743090080, got "x".',
    },
  ])('$argv', async ({ argv, message }) => {
    await expect(runJson(argv)).resolves.toEqual({
      code: 2,
      json: { error: { code: 'ERR_USAGE', message } },
      stderr: '',
    })
  })
})

it('audit gets the options of its command line', async () => {
  const outcome = await run(['audit', 'nowhere', '--json'], { env })
  expect(outcome).toMatchObject({ code: 2, stderr: '' })
  expect(JSON.parse(outcome.stdout)).toMatchObject({ error: { code: 'ERR_USAGE' } })
})

describe('a fault of the command itself ends with 70, so that it is taken for no answer', () => {
  it('reports it with its stack', async () => {
    const io = new FakeIo({ env })
    const stdout = new Writable({
      write() {
        throw new Error('out of order')
      },
    })
    const code = await main(['--version'], Object.assign(io, { stdout }))
    expect(code).toBe(70)
    expect(io.errors).toContain(
      'error: This is a fault of service-signature itself.\nError: out of order\n    at ',
    )
  })

  it('a result that cannot be printed does not end with the code of a refusal', async () => {
    const io = new FakeIo({ env, stdin: known.body })
    const stdout = new Writable({
      write() {
        throw new Error('out of order')
      },
    })
    const argv = ['verify', '--header', known.header, '--now', String(timestamp)]
    await expect(main(argv, Object.assign(io, { stdout }))).resolves.toBe(70)
  })

  it('an error that core throws for a wrong argument is a fault of the command', () => {
    expect(() => signBody('{}', { secret: 'x' }, '7')).toThrow(TypeError)
  })

  it('as JSON without it', async () => {
    const io = new FakeIo()
    const now = () => {
      throw new Error('out of order')
    }
    const code = await main(['sign', '--json'], Object.assign(io, { now }))
    expect(code).toBe(70)
    expect(JSON.parse(io.text)).toEqual({ error: { code: 'ERR_FAULT', message: 'out of order' } })
  })
})
