import { expect, it } from 'vitest'
import { buildProgram } from '../../src/program.js'
import { FakeIo } from '../../../terminal/test/support/fake-io.js'

/** The options that the command `sandbox` gets from its command line. */
async function optionsOf(argv: readonly string[]): Promise<Record<string, unknown>> {
  const program = buildProgram({ io: new FakeIo(), end: () => undefined })
  const sandbox = program.commands.find((command) => command.name() === 'sandbox')!
  await sandbox.action(() => undefined).parseAsync(argv, { from: 'user' })
  return sandbox.opts()
}

it.each([
  [[], true],
  [['--no-card-token-events'], false],
])('the sandbox with %j has cardTokenEvents %s', async (argv, cardTokenEvents) => {
  expect(await optionsOf(argv)).toMatchObject({ cardTokenEvents })
})

it.each([
  [[], undefined],
  [['--checks'], true],
  [['--no-checks'], false],
])('the sandbox with %j has checks %s', async (argv, checks) => {
  expect((await optionsOf(argv))['checks']).toBe(checks)
})
