import type { Command } from 'commander'
import { expect, it } from 'vitest'
import { main } from '../../src/main.js'
import { buildProgram } from '../../src/program.js'
import { buildSandboxProgram } from '../../src/sandbox-program.js'
import { FakeIo } from '../support/fake-io.js'

const setup = { io: new FakeIo(), end: () => undefined }

function optionsOf(command: Command): readonly string[] {
  return command.options.map(({ flags, description }) => `${flags} ${description}`)
}

it.each(['listen', 'trigger'])('%s has the same options in both programs', (name) => {
  const [one, other] = [buildProgram(setup), buildSandboxProgram(setup)].map(({ commands }) =>
    commands.find((command) => command.name() === name),
  )
  expect(optionsOf(one!)).toEqual(optionsOf(other!))
})

it('the command without a name has the options of the command sandbox', () => {
  const sandbox = buildProgram(setup).commands.find((command) => command.name() === 'sandbox')!
  const [, ...options] = optionsOf(buildSandboxProgram(setup))
  expect(optionsOf(sandbox)).toEqual(options)
})

it('messages name the program that runs', async () => {
  const io = new FakeIo()
  expect(await main(['trigger', 'a', '--sandbox', 'http://127.0.0.1:1'], io)).toBe(3)
  expect(io.err.join('')).toContain('Start it: npx service-signature listen')
})

it.each([
  [[], true],
  [['--no-card-token-events'], false],
])('the sandbox with %j has cardTokenEvents %s', async (argv, cardTokenEvents) => {
  const program = buildSandboxProgram(setup).action(() => undefined)
  await program.parseAsync(argv, { from: 'user' })
  expect(program.opts()).toMatchObject({ cardTokenEvents })
})

it.each([
  [[], undefined],
  [['--checks'], true],
  [['--no-checks'], false],
])('the sandbox with %j has checks %s', async (argv, checks) => {
  const program = buildSandboxProgram(setup).action(() => undefined)
  await program.parseAsync(argv, { from: 'user' })
  expect(program.opts()['checks']).toBe(checks)
})
