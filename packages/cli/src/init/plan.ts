import { UsageError } from '@service-signature/terminal'
import type { Change } from './change.js'
import { envChanges } from './env-file.js'
import { readText } from './files.js'
import type { Git } from './git.js'
import { mountChanges } from './mount.js'
import type { Project } from './project.js'
import { scriptChanges, startNotes } from './scripts.js'
import { filesFor, type Written } from './templates.js'

export interface Plan {
  readonly changes: readonly Change[]
  /** The test that shows that the endpoint answers. */
  readonly test: string
  /** Packages that the endpoint needs. */
  readonly packages: readonly string[]
}

/** @throws {UsageError} if a file is in the way, or a symbolic link leads out of the project */
export function planFor(project: Project, git: Git): Plan {
  const { host } = project
  const { route, test } = filesFor(project)
  return {
    changes: [
      newFile(project, route, 'the endpoint'),
      newFile(project, test, 'its test'),
      ...envChanges(project, git),
      ...mountChanges(project, route.path),
      ...scriptChanges(project, test.path),
      ...[...(host.notes ?? []), ...startNotes(project)].map((todo) => ({ kind: 'todo' as const, ...todo })),
    ],
    test: test.path,
    packages: [`@service-signature/${host.adapter}`, '@service-signature/core'],
  }
}

function newFile({ folder }: Project, { path, text }: Written, about: string): Change {
  const before = readText(folder, path)
  if (before === undefined) return { kind: 'create', path, about, text, otherwise: { about: '' } }
  // The user may have changed it.
  if (before.includes('@service-signature/')) return { kind: 'keep', path, about }
  throw new UsageError(`${path} exists and does not use @service-signature. Rename it; nothing was written.`)
}
