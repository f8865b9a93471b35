import type { Io } from '@service-signature/terminal'
import { spawnSync } from 'node:child_process'
import { existsSync, realpathSync } from 'node:fs'
import { delimiter, isAbsolute, join } from 'node:path'
import { isInside } from './files.js'

/** Runs git in the project, and returns its exit code, or null if it did not run. */
export type Git = (...args: readonly string[]) => number | null

/** For a run that starts no program. */
export const NO_GIT: Git = () => null

/** Of the configuration of the project, no line that names a program. */
const SAFE = ['--no-pager', '-c', 'core.fsmonitor=false', '-c', 'core.hooksPath=/dev/null']

/** Git, of a folder in PATH that is not in the project. By its name alone, Windows would look in the project first. */
export function openGit(env: Io['env'], folder: string): Git {
  const program = (env['PATH'] ?? '')
    .split(delimiter)
    .filter(isAbsolute)
    .flatMap((entry) => [join(entry, 'git.exe'), join(entry, 'git')])
    .find((path) => existsSync(path) && !isInside(folder, path) && !isInside(folder, realpathSync(path)))
  if (program === undefined) return NO_GIT
  // No protocol: git would fetch objects that a partial clone does not have, with a command of the configuration.
  const own = { ...env, GIT_ALLOW_PROTOCOL: '' }
  return (...args) =>
    spawnSync(program, [...SAFE, ...args], { cwd: folder, env: own, stdio: 'ignore' }).status
}
