import { printable } from '@service-signature/deliveries'
import { UsageError } from '@service-signature/terminal'
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  writeFileSync,
} from 'node:fs'
import { dirname, isAbsolute, join, relative, sep } from 'node:path'
import type { NewText } from './change.js'

/** Whether a path is in a folder. Both are absolute, and without symbolic links. */
export function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path)
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}

/**
 * The text of a file of the project, or undefined if there is no such file.
 *
 * @throws {UsageError} if it cannot be read, or is not in the project
 */
export function readText(folder: string, path: string): string | undefined {
  try {
    return readFileSync(placeIn(folder, path), 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw unusable('read', path, error)
  }
}

/** @throws {UsageError} if it cannot be written, or is not in the project */
export function writeText(folder: string, { kind, path, text, mode }: NewText): void {
  try {
    const place = placeIn(folder, path)
    mkdirSync(dirname(place), { recursive: true })
    writeFileSync(place, text, { flag: kind === 'create' ? 'wx' : 'w', mode: mode ?? 0o666 })
  } catch (error) {
    throw unusable('write', path, error)
  }
}

function unusable(what: string, path: string, error: unknown): UsageError {
  if (error instanceof UsageError) return error
  return new UsageError(`Cannot ${what} ${printable(path)}: ${printable((error as Error).message)}`)
}

/** Where a file of the project is, or will be, once symbolic links are followed, which may not lead out of the project. */
function placeIn(folder: string, path: string): string {
  return path.split('/').reduce((parent, name) => {
    const place = join(parent, name)
    if (lstatSync(place, { throwIfNoEntry: false })?.isSymbolicLink() !== true) return place
    const target = existsSync(place) ? realpathSync(place) : undefined
    if (target !== undefined && isInside(folder, target)) return target
    const reason = target === undefined ? 'which does not exist' : 'out of the project'
    const link = `${printable(relative(folder, place))} is a symbolic link to ${printable(readlinkSync(place))}`
    throw new UsageError(`${link}, ${reason}. Replace the link; nothing was written.`)
  }, folder)
}
