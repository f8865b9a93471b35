import { randomBytes } from 'node:crypto'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import type { Change, NewText, Todo } from './change.js'
import { lineEnd, readText, realPath } from './files.js'
import type { Git } from './git.js'
import type { Project } from './project.js'

const NAME = 'WEBHOOK_SECRET'
/** Its line without a value. */
const EMPTY = /^((?:export )?WEBHOOK_SECRET=)[ \t]*(?:""|'')?[ \t]*(?:#.*)?$/m
const UNASKED = 'only if git does not track the file; a dry run does not ask git'
const EXAMPLE = '.env.example'

/** The file with the secrets of this machine. */
function envFile({ dependencies, template }: Project): string {
  return template === 'workers' || (template === 'hono' && dependencies.has('wrangler'))
    ? '.dev.vars'
    : '.env'
}

/** The secret in that file. */
export function secretIn(project: Project): string | undefined {
  const secret = parseEnv(readText(project.folder, envFile(project)) ?? '')[NAME]
  return secret === '' ? undefined : secret
}

/** A secret for this machine, in a file that git ignores, and its name in the example of that file. */
export function envChanges(project: Project, git: Git): readonly Change[] {
  const path = envFile(project)
  return [...secretChanges(project, path, git), ...exampleChanges(project), ...permissionNotes(project, path)]
}

function secretChanges(project: Project, name: string, git: Git): readonly Change[] {
  if (secretIn(project) !== undefined) return [{ kind: 'keep', path: name, about: `has ${NAME}` }]
  // Git tracks or ignores a link without its target.
  const path = realPath(project.folder, name)
  const state = git(path)
  if (state === 'tracked')
    return [{ kind: 'todo', about: `Set ${NAME}. It was not written, because git tracks ${path}` }]
  if (typeof state === 'object') {
    const reason = `it is not known whether git ignores ${path}: ${state.unknown}`
    return [{ kind: 'todo', about: `Set ${NAME}. It was not written, because ${reason}` }]
  }
  const otherwise = { about: `Set ${NAME}, for example in ${path}, which git must ignore` }
  const about = `${NAME}, a random one for this machine (${state === 'unasked' ? UNASKED : 'git ignores the file'})`
  const before = readText(project.folder, path)
  const text = withSecret(before ?? '', randomBytes(24).toString('hex'))
  const kind = before === undefined ? 'create' : 'change'
  const change = { kind, path, about, text, otherwise, mode: 0o600 } as const
  if (state !== 'open') return [change]
  const ignored = withLine(project, '.gitignore', path, path, { about: `Add ${path} to .gitignore` })
  return [ignored, { ...change, needs: '.gitignore' }]
}

function exampleChanges(project: Project): readonly Change[] {
  const text = readText(project.folder, EXAMPLE)
  if (text === undefined) return []
  if (NAME in parseEnv(text)) return [{ kind: 'keep', path: EXAMPLE, about: `has ${NAME}` }]
  const line = `${NAME}=`
  const otherwise = { about: `Add ${line} to ${EXAMPLE}` }
  return [withLine(project, EXAMPLE, line, `${NAME}, without a value`, otherwise)]
}

function permissionNotes({ folder }: Project, path: string): readonly Change[] {
  const { mode = 0 } = statSync(join(folder, path), { throwIfNoEntry: false }) ?? {}
  // Windows has no such permissions.
  if ((mode & 0o044) === 0 || process.platform === 'win32') return []
  const about = `Other users of this machine can read ${path}. To change that`
  return [{ kind: 'todo', about, command: `chmod 600 ${path}` }]
}

/** A file with one more line at its end. */
function withLine(project: Project, path: string, line: string, about: string, otherwise: Todo): NewText {
  const before = readText(project.folder, path)
  const text = appended(before ?? '', line)
  return { kind: before === undefined ? 'create' : 'change', path, about, text, otherwise }
}

function appended(text: string, line: string): string {
  const end = lineEnd(text)
  return `${text}${/[^\n]$/.test(text) ? end : ''}${line}${end}`
}

/** The text of .env with the secret: in the place of the line without a value, unless that is a part of another value. */
function withSecret(text: string, secret: string): string {
  const filled = text.replace(EMPTY, (_, name: string) => name + secret)
  return parseEnv(filled)[NAME] === secret ? filled : appended(text, `${NAME}=${secret}`)
}
