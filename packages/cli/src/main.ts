/**
 * The command `service-signature`.
 *
 * @module
 */
import type { Io } from '@service-signature/terminal'
import { runProgram, startProgram, type Process } from './command-line.js'
import { buildProgram } from './program.js'

export function main(argv: readonly string[], io: Io): Promise<number> {
  return runProgram(buildProgram, argv, io)
}

export function start(process: Process): Promise<void> {
  return startProgram(buildProgram, process)
}
