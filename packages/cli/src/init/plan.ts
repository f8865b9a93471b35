import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { UsageError } from '../exit.js'
import { envChanges, envNotes } from './env-file.js'
import { mountChanges } from './mount.js'
import type { Change, NewText } from './change.js'
import type { Project } from './project.js'
import { filesFor, type Written } from './templates.js'

export interface Plan {
  readonly changes: readonly Change[]
  /** The test that shows that the endpoint answers. */
  readonly test: string
  /** Packages that the endpoint needs, and the project does not have. */
  readonly packages: readonly string[]
}

/** @throws {UsageError} if a file is in the way */
export function planFor(project: Project): Plan {
  const { host, dependencies } = project
  const { route, test } = filesFor(project)
  const endpoint = newFile(project, route, 'the endpoint')
  const notes = endpoint.kind === 'create' ? [...(host.notes ?? []), ...envNotes(project)] : []
  return {
    changes: [
      endpoint,
      newFile(project, test, 'its test'),
      ...envChanges(project),
      ...mountChanges(project, route.path),
      ...notes.map((about) => ({ kind: 'todo' as const, about })),
    ],
    test: test.path,
    packages: packagesFor(project).filter((name) => !dependencies.has(name)),
  }
}

export function packagesFor({ host }: Project): readonly string[] {
  return [`@service-signature/${host.adapter}`, '@service-signature/core']
}

function newFile({ folder }: Project, { path, text }: Written, about: string): Change {
  const place = join(folder, path)
  if (!existsSync(place)) return { kind: 'create', path, about, text, otherwise: '' }
  // The user may have changed it.
  if (readFileSync(place, 'utf8').includes('@service-signature/')) return { kind: 'keep', path, about }
  throw new UsageError(`${path} exists and does not use @service-signature. Rename it; nothing was written.`)
}

export function write(folder: string, { kind, path, text }: NewText): void {
  const place = join(folder, path)
  mkdirSync(dirname(place), { recursive: true })
  writeFileSync(place, text, { flag: kind === 'create' ? 'wx' : 'w' })
}
