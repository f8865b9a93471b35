import { printable } from '@service-signature/deliveries'
import { UsageError } from '@service-signature/terminal'
import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  statSync,
  writeFileSync,
  type Stats,
} from 'node:fs'
import { dirname, isAbsolute, join, relative, sep } from 'node:path'
import type { NewText } from './change.js'

/** Whether a path is in a folder. Both are absolute, and without symbolic links. */
export function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path)
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}

/** In bytes. Files that people write are smaller. */
const MOST_BYTES = 1024 * 1024

/**
 * The text of a file of the project, or undefined if there is no such file.
 *
 * @throws {UsageError} if it cannot be read, or is not in the project
 */
export function readText(folder: string, path: string): string | undefined {
  try {
    const place = placeIn(folder, path)
    const reason = reasonAgainst(statSync(place))
    if (reason !== undefined) throw new Error(reason)
    return readFileSync(place, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw unusable('read', path, error)
  }
}

/** The text of a source of the project, or undefined if it cannot be read. */
export function readSource(folder: string, path: string): string | undefined {
  try {
    return readText(folder, path)
  } catch {
    return undefined
  }
}

/** Reading a pipe waits for its writer, and a device may never end. */
function reasonAgainst(stats: Stats): string | undefined {
  if (!stats.isFile()) return 'it is not a regular file'
  return stats.size > MOST_BYTES ? 'it has more than 1 MiB' : undefined
}

/** The path of a file of the project once symbolic links are followed. */
export function realPath(folder: string, path: string): string {
  return relative(folder, placeIn(folder, path)).replaceAll(sep, '/')
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

/**
 * Checks a file before the first is written.
 *
 * @throws {UsageError} if it cannot be written
 */
export function checkWritable(folder: string, path: string): void {
  try {
    const place = placeIn(folder, path)
    if (existsSync(place)) closeSync(openSync(place, 'r+'))
    else accessSync(folderFor(place), constants.W_OK)
  } catch (error) {
    throw new UsageError(`${unusable('write', path, error).message}; nothing was written`)
  }
}

/** The folder in which a place, or a folder above it, will be made. */
function folderFor(place: string): string {
  const folder = dirname(place)
  return existsSync(folder) ? folder : folderFor(folder)
}

/** How the lines of a text end, so that a new one ends like them. */
export function lineEnd(text: string): string {
  return text.includes('\r\n') ? '\r\n' : '\n'
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
