import type { listen, sandbox, trigger } from '@service-signature/sandbox/command'
import { expect, it } from 'vitest'
import { FakeIo } from '../../terminal/test/support/fake-io.js'
import { buildProgram } from '../src/program.js'
import { run } from './support/command.js'

/** The options that a command gets from its command line. */
async function optionsOf(name: string, ...argv: readonly string[]): Promise<unknown> {
  const program = buildProgram({ io: new FakeIo(), end: () => undefined })
  const command = program.commands.find((command) => command.name() === name)!
  await command.action(() => undefined).parseAsync(argv, { from: 'user' })
  return command.opts()
}

const START: Parameters<typeof sandbox>[0] = {
  port: '1',
  host: 'h',
  tokenFile: 't',
  allowHost: ['a', 'b'],
  publicUrl: 'p',
  seed: 's',
  newSecret: true,
  timeScale: '2',
  bodyStyle: 'ecmascript',
  canonicalForm: 'python',
  cardTokenEvents: false,
  checks: true,
  allowRemote: true,
  data: 'd',
  keep: '3',
  json: true,
}
const START_ARGV = [
  ...['--port', '1', '--host', 'h', '--token-file', 't', '--allow-host', 'a', '--allow-host', 'b'],
  ...['--public-url', 'p', '--seed', 's', '--new-secret', '--time-scale', '2', '--body-style', 'ecmascript'],
  ...['--canonical-form', 'python', '--no-card-token-events', '--checks', '--allow-remote'],
  ...['--data', 'd', '--keep', '3', '--json'],
]

it('passes all options to the commands of the sandbox, by their names', async () => {
  const ofSandbox: Parameters<typeof sandbox>[0] = { ...START, defaultEndpoint: 'e' }
  expect(await optionsOf('sandbox', ...START_ARGV, '--default-endpoint', 'e')).toEqual(ofSandbox)
  const ofListen: Parameters<typeof listen>[0] = { ...START, forwardTo: 'f', record: 'r' }
  expect(await optionsOf('listen', ...START_ARGV, '--forward-to', 'f', '--record', 'r')).toEqual(ofListen)
  const ofTrigger: Parameters<typeof trigger>[1] = {
    sandbox: 'b',
    url: 'u',
    set: ['a=1', 'b=2'],
    sequence: 'delayed',
    count: '2',
    delay: '3',
    list: true,
  }
  const argv = ['event', '--sandbox', 'b', '--url', 'u', '--set', 'a=1', '--set', 'b=2']
  expect(
    await optionsOf('trigger', ...argv, '--sequence', 'delayed', '--count', '2', '--delay', '3', '--list'),
  ).toEqual(ofTrigger)
})

it('leaves out what is not on the command line', async () => {
  expect(await optionsOf('sandbox')).toEqual({ cardTokenEvents: true })
  expect(await optionsOf('sandbox', '--no-checks')).toEqual({ cardTokenEvents: true, checks: false })
  expect(await optionsOf('trigger', 'event')).toEqual({ sandbox: 'http://127.0.0.1:4000' })
})

it.each([
  [['sandbox', '--port', 'none'], 2, 'error: "port" must be '],
  [['listen'], 2, 'error: Pass the address of your endpoint: --forward-to '],
  [
    ['trigger', 'a', '--sandbox', 'http://127.0.0.1:1'],
    3,
    'error: There is no sandbox at http://127.0.0.1:1.',
  ],
])('ends %j with the exit code of its error: %i', async (argv, code, says) => {
  const outcome = await run(argv)
  expect(outcome).toMatchObject({ code, stdout: '' })
  expect(outcome.stderr).toContain(says)
})
