import { remark, type Io } from '@service-signature/terminal'
import { createHash, randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * What the keys and the secret of a project are made of. It lies in the user's own state folder, so that the `.env` of the project
 * fits at the next start, and there is nothing to ignore in git. Undefined if it cannot be kept.
 */
export function keySeedOfProject(
  io: Io,
  { isNew, folder = process.cwd() }: { readonly isNew: boolean; readonly folder?: string },
): string | undefined {
  const { XDG_STATE_HOME: state, HOME: home, LOCALAPPDATA: local } = io.env
  const base = state ?? (home === undefined ? local : join(home, '.local', 'state'))
  if (base === undefined) return undefined
  const name = createHash('sha256').update(projectOf(folder)).digest('hex').slice(0, 16)
  const file = join(base, 'service-signature', `sandbox-${name}`)
  try {
    if (!isNew && existsSync(file)) return readFileSync(file, 'utf8').trim()
    const seed = randomUUID()
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    writeFileSync(file, `${seed}\n`, { mode: 0o600 })
    return seed
  } catch (error) {
    remark(io, `The secret is not kept for the next start: ${(error as Error).message}`)
    return undefined
  }
}

/** The folder of the nearest package, or else the folder itself. */
function projectOf(folder: string): string {
  for (let each = folder; ; each = dirname(each)) {
    if (existsSync(join(each, 'package.json'))) return each
    if (each === dirname(each)) return folder
  }
}
