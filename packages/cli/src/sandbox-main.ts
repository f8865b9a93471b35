/**
 * The command `service-signature-sandbox`, which is built into the package of the sandbox: it works without the cli.
 *
 * @module
 */
import { runProgram, startProgram, type Process } from './command-line.js'
import type { Io } from './io.js'
import { buildSandboxProgram } from './sandbox-program.js'

export function main(argv: readonly string[], io: Io): Promise<number> {
  return runProgram(buildSandboxProgram, argv, io)
}

export function start(process: Process): Promise<void> {
  return startProgram(buildSandboxProgram, process)
}
