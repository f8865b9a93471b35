import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Change, NewText } from './change.js'
import type { Project } from './project.js'

const LINE = /^(?:export )?WEBHOOK_SECRET=(.*)$/m
const EXAMPLE = '.env.example'

/** The file with the secrets of this machine. */
function envFile({ dependencies, template }: Project): string {
  return template === 'workers' || (template === 'hono' && dependencies.has('wrangler'))
    ? '.dev.vars'
    : '.env'
}

/** The secret in that file. */
export function secretIn(project: Project): string | undefined {
  const value = LINE.exec(textOf(project, envFile(project)) ?? '')?.[1]
    ?.trim()
    .replace(/^(["'])(.*)\1$/, '$2')
  return value === '' ? undefined : value
}

/** A secret for this machine, in a file that git ignores, and its name in the example of that file. */
export function envChanges(project: Project): readonly Change[] {
  const path = envFile(project)
  return [...secretChanges(project, path), ...exampleChanges(project)]
}

const LOADERS = ['next', 'wrangler', 'dotenv', '@nestjs/config', 'fastify-cli']

/** What the user has to do so that the server gets the secret. */
export function envNotes({ dependencies, template, startedFile }: Project): readonly string[] {
  if (template === 'lambda' || LOADERS.some((name) => dependencies.has(name))) return []
  return [`Start the server with the variables of .env, such as: node --env-file=.env ${startedFile}`]
}

function secretChanges(project: Project, path: string): readonly Change[] {
  if (LINE.test(textOf(project, path) ?? '')) return [{ kind: 'keep', path, about: 'has WEBHOOK_SECRET' }]
  const state = gitState(project, path)
  if (state === 'tracked')
    return [{ kind: 'todo', about: `Set WEBHOOK_SECRET. It was not written, because git tracks ${path}` }]
  const secret = randomBytes(24).toString('hex')
  const otherwise = `Set WEBHOOK_SECRET, for example in ${path}, which git must ignore`
  const about = 'WEBHOOK_SECRET, a random one for this machine (git ignores the file)'
  const change = withLine(project, path, `WEBHOOK_SECRET=${secret}`, about, otherwise)
  if (state === 'ignored') return [change]
  const ignored = withLine(
    project,
    '.gitignore',
    path,
    `${path}, which git must ignore`,
    `Add ${path} to .gitignore`,
  )
  return [ignored, { ...change, needs: '.gitignore' }]
}

function exampleChanges(project: Project): readonly Change[] {
  const text = textOf(project, EXAMPLE)
  if (text === undefined) return []
  if (LINE.test(text)) return [{ kind: 'keep', path: EXAMPLE, about: 'has WEBHOOK_SECRET' }]
  const line = 'WEBHOOK_SECRET='
  return [withLine(project, EXAMPLE, line, 'WEBHOOK_SECRET, without a value', `Add ${line} to ${EXAMPLE}`)]
}

/** A file with one more line at its end. */
function withLine(project: Project, path: string, line: string, about: string, otherwise: string): NewText {
  const before = textOf(project, path)
  const text = `${before?.replace(/(?<=[^\n])$/, '\n') ?? ''}${line}\n`
  return { kind: before === undefined ? 'create' : 'change', path, about, text, otherwise }
}

function gitState(project: Project, path: string): 'tracked' | 'ignored' | 'open' {
  const git = (...args: readonly string[]) =>
    spawnSync('git', [...args, '--', path], { cwd: project.folder, stdio: 'ignore' }).status
  if (git('ls-files', '--error-unmatch') === 0) return 'tracked'
  const status = git('check-ignore', '--quiet')
  if (status === 0) return 'ignored'
  if (status === 1) return 'open'
  // There is no repository yet.
  const lines = textOf(project, '.gitignore')?.split(/\r?\n/) ?? []
  return [path, `/${path}`, `${path}*`].some((pattern) => lines.includes(pattern)) ? 'ignored' : 'open'
}

function textOf({ folder }: Project, path: string): string | undefined {
  try {
    return readFileSync(join(folder, path), 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
