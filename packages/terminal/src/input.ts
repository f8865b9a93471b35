import { printable } from '@service-signature/deliveries'
import { readFile } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import { UsageError } from './exit.js'
import type { Io } from './io.js'

/** How the command line names standard input. */
export const STDIN = '-'

const REASONS: ReadonlyMap<string, string> = new Map([
  ['ENOENT', 'there is no such file'],
  ['EISDIR', 'it is a directory'],
  ['EACCES', 'this user may not read it'],
])

/**
 * The bytes of a file, or of standard input for `-`.
 *
 * @throws {UsageError} when it cannot be read, and when standard input is asked for twice
 */
export async function readInput(name: string, io: Io): Promise<Buffer> {
  try {
    return await (name === STDIN ? readStdin(io) : readFile(name))
  } catch (error) {
    if (error instanceof UsageError) throw error
    const { code = 'an unknown error' } = error as NodeJS.ErrnoException
    throw new UsageError(`Cannot read ${placeOf(name)}: ${REASONS.get(code) ?? code}.`)
  }
}

/** How a message names an input. */
export function placeOf(name: string): string {
  return name === STDIN ? 'standard input' : printable(name, Infinity)
}

async function readStdin({ stdin, stderr }: Io): Promise<Buffer> {
  if (stdin.readableDidRead) {
    throw new UsageError(
      'Standard input can be read only once: name files for all but one of the body, the header and the keys.',
    )
  }
  if (stdin.isTTY === true) stderr.write('Reading standard input; Ctrl-D ends it.\n')
  return buffer(stdin)
}
