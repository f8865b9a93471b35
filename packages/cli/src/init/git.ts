import type { Io } from '@service-signature/terminal'
import { spawnSync } from 'node:child_process'
import { existsSync, realpathSync } from 'node:fs'
import { delimiter, dirname, isAbsolute, join } from 'node:path'
import { isInside, readText } from './files.js'

/** What git does with a file ("open": it would commit it), or why that is not known. */
export type GitState = 'tracked' | 'ignored' | 'open' | 'unasked' | { readonly unknown: string }

/** Finds the state of a file, whose path is from the folder of the project. */
export type Git = (path: string) => GitState

/** Asks git. Without a repository, the lines of .gitignore decide. */
export function openGit(env: Io['env'], folder: string, timeout = 10_000): Git {
  const program = programIn(env['PATH'] ?? '', folder)
  const ask = (...args: readonly string[]) =>
    program === undefined ? NO_PROGRAM : runGit(program, args, env, folder, timeout)
  return (path) => {
    const tracked = ask('ls-files', '--error-unmatch', '--', path)
    if (tracked.status === 0) return 'tracked'
    const ignored = tracked.status === 1 ? ask('check-ignore', '--quiet', '--', path) : tracked
    if (ignored.status === 0) return 'ignored'
    if (ignored.status === 1) return 'open'
    return isInRepository(folder) ? { unknown: ignored.reason } : withoutRepository(folder, path)
  }
}

/** For a run that starts no program. */
export function withoutGit(folder: string): Git {
  return (path) => (isInRepository(folder) ? 'unasked' : withoutRepository(folder, path))
}

const NO_PROGRAM = { status: null, reason: 'git is not in PATH' }

/** Git, in a folder of PATH that is not in the project. By its name alone, Windows would look in the project first. */
function programIn(path: string, folder: string): string | undefined {
  return path
    .split(delimiter)
    .filter(isAbsolute)
    .flatMap((entry) => [join(entry, 'git.exe'), join(entry, 'git')])
    .find((place) => existsSync(place) && !isInside(folder, place) && !isInside(folder, realpathSync(place)))
}

/** Options that overrule the lines of the project's configuration that name a program. */
const SAFE = ['--no-pager', '-c', 'core.fsmonitor=false', '-c', 'core.hooksPath=/dev/null']

function runGit(
  program: string,
  args: readonly string[],
  env: Io['env'],
  folder: string,
  timeout: number,
): { readonly status: number | null; readonly reason: string } {
  // Within a hook, the environment names the repository of the hook.
  const others = Object.entries(env).filter(([name]) => !/^GIT_/i.test(name))
  const { status, stderr, error } = spawnSync(program, [...SAFE, ...args], {
    cwd: folder,
    // No protocol: git would fetch objects that a partial clone does not have, with a command of the configuration.
    env: { ...Object.fromEntries(others), GIT_ALLOW_PROTOCOL: '' },
    stdio: ['ignore', 'ignore', 'pipe'],
    encoding: 'utf8',
    timeout,
    killSignal: 'SIGKILL',
  })
  return { status, reason: error?.message ?? stderr.split('\n', 1)[0]! }
}

function isInRepository(folder: string): boolean {
  const parent = dirname(folder)
  return existsSync(join(folder, '.git')) || (parent !== folder && isInRepository(parent))
}

/** What git would do with a file if the folder became a repository, according to the usual lines of .gitignore. */
function withoutRepository(folder: string, path: string): 'ignored' | 'open' {
  const lines = (readText(folder, '.gitignore') ?? '').split('\n').map((line) => line.trimEnd())
  const decides = (line: string) =>
    line.startsWith('!') ? line.endsWith(path) || line.includes('*') : isPatternOf(path, line)
  return lines.filter(decides).at(-1)?.startsWith('!') === false ? 'ignored' : 'open'
}

function isPatternOf(path: string, line: string): boolean {
  return [path, `/${path}`, `${path}*`].includes(line)
}
