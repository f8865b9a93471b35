import { readFileSync } from 'node:fs'
import type { Io } from '../io.js'

/** Prints the instructions for a coding agent. */
export function run({ stdout }: Pick<Io, 'stdout'>): void {
  // By the name of the package, because sources and bundle are at different depths.
  const manifest = import.meta.resolve('service-signature/package.json')
  stdout.write(readFileSync(new URL('SKILL.md', manifest), 'utf8'))
}
