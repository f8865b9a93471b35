import { chownSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** A user who owns nothing on most systems. */
const UNPRIVILEGED = 65534

/** Runs code as a user whom the permissions of a project bind, which they do not do with root. */
export async function asBoundUser<Result>(folder: string, act: () => Promise<Result>): Promise<Result> {
  if (process.geteuid!() !== 0) return act()
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  for (const path of ['.', ...paths]) chownSync(join(folder, path), UNPRIVILEGED, UNPRIVILEGED)
  process.seteuid!(UNPRIVILEGED)
  try {
    return await act()
  } finally {
    process.seteuid!(0)
  }
}
