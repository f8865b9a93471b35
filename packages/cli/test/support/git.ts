import { execFileSync } from 'node:child_process'

/** Runs git in a folder, and never in the repository that the environment names within a hook. */
export function git(folder: string, ...args: readonly string[]): string {
  const env = { PATH: process.env['PATH'] }
  return execFileSync('git', ['-C', folder, ...args], { encoding: 'utf8', env })
}
