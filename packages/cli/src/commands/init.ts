import { printable } from '@service-signature/deliveries'
import {
  EXIT,
  inLines,
  paint,
  print,
  printJson,
  readKeys,
  UnreachableError,
  type Io,
} from '@service-signature/terminal'
import type { Change, NewText } from '../init/change.js'
import { execute, runTest, sendBoth, stepBefore, testArguments, type Answers } from '../init/check.js'
import { secretIn } from '../init/env-file.js'
import { writeText } from '../init/files.js'
import { openGit, withoutGit } from '../init/git.js'
import { planFor, type Plan } from '../init/plan.js'
import { readProject, type Project } from '../init/project.js'
import { openQuestions, type Questions } from '../init/questions.js'
import { endpoint } from '../send/plan.js'

export interface InitOptions {
  readonly host?: string
  readonly dryRun?: boolean
  readonly yes?: boolean
  readonly install?: boolean
  readonly url?: string
  readonly json?: boolean
}

interface Outcome {
  readonly written: readonly string[]
  readonly todo: readonly string[]
  /** Null if no event was sent. */
  readonly answers: Answers | null
}

const ADD = { npm: 'npm install', pnpm: 'pnpm add', yarn: 'yarn add', bun: 'bun add' } as const

/** Writes an endpoint and its test into a project, and shows that the endpoint answers a signed event. */
export async function run(folder = '.', options: InitOptions, io: Io): Promise<number> {
  const { json = false, yes = false, dryRun = false } = options
  const url = options.url === undefined ? undefined : endpoint(options.url)
  const questions = openQuestions(io, !json && !yes && !dryRun)
  const say = (lines: readonly string[]) => {
    if (!json) print(io, lines.map((line) => inLines(io, line)).join('\n'))
  }
  try {
    const project = await readProject(folder, options.host, questions)
    const plan = planFor(project, dryRun ? withoutGit(project.folder) : openGit(io.env, project.folder))
    // What is left to do comes at the end.
    const shown = plan.changes.filter(({ kind }) => dryRun || kind !== 'todo')
    say([titleOf(project), ...shown.map(lineOf)])
    let outcome: Outcome = { written: [], todo: [], answers: null }
    if (!dryRun) {
      outcome = await carryOut(project, plan, options, url, io, questions)
      say(inWords(outcome, url?.href ?? plan.test, io))
    }
    if (json) {
      const { template: host, isTypeScript, isModule, runner, manager } = project
      const changes = plan.changes.map(({ kind, path, about }) => ({ kind, path, about }))
      printJson(io, { host, isTypeScript, isModule, runner, manager, changes, ...outcome })
    }
    return EXIT.good
  } finally {
    questions.close()
  }
}

function titleOf({ host, isTypeScript, isModule, runner, manager }: Project): string {
  const language = isTypeScript ? 'TypeScript' : isModule ? 'ES modules' : 'CommonJS'
  return `${host.title}, ${language}; tests with ${runner === 'node' ? 'node --test' : runner}; ${manager}`
}

function lineOf({ kind, path, about }: Change): string {
  return `  ${kind} ${printable(path === undefined ? about : `${path}: ${about}`, Infinity)}`
}

/**
 * Asks everything about the files, then writes them, and then runs what may be run.
 *
 * @throws {RefusedError} if the endpoint does not answer as it should
 */
async function carryOut(
  project: Project,
  { changes, packages, test }: Plan,
  { yes = false, install = false }: InitOptions,
  url: URL | undefined,
  io: Io,
  questions: Questions,
): Promise<Outcome> {
  const mayDo = async (question: string) => yes || questions.ask(question)
  const { written, todo } = await writeChanges(project, changes, mayDo)
  const missing = packages.filter((name) => !project.dependencies.has(name))
  const add = [ADD[project.manager], ...missing].join(' ')
  const adds = missing.length > 0 && (install || (await questions.ask(`Run ${add}?`)))
  if (adds) runInstall(add, project, io)
  if (url !== undefined) return { written, todo, answers: await answersOf(url, project, io) }
  const args = testArguments(project, test)
  const command = ['node', ...args].join(' ')
  const before = missing.length > 0 && !adds ? add : stepBefore(project, packages)
  if (before === undefined && (await mayDo(`Run ${command}?`)))
    return { written, todo, answers: runTest(project, args, io) }
  todo.push(before === undefined ? `Run the test: ${command}` : `${before}; then run the test: ${command}`)
  return { written, todo, answers: null }
}

async function writeChanges(
  { folder }: Project,
  changes: readonly Change[],
  mayDo: (question: string) => Promise<boolean>,
): Promise<{ written: string[]; todo: string[] }> {
  const accepted: NewText[] = []
  const todo: string[] = []
  for (const change of changes) {
    if (change.kind === 'todo') todo.push(change.about)
    if (change.text === undefined) continue
    const { kind, path, needs, otherwise } = change
    const isPossible = needs === undefined || accepted.some((other) => other.path === needs)
    if (isPossible && (kind === 'create' || (await mayDo(`Change ${path}?`)))) accepted.push(change)
    else todo.push(otherwise)
  }
  for (const change of accepted) writeText(folder, change)
  return { written: accepted.map(({ path }) => path), todo }
}

function runInstall(command: string, { folder }: Project, io: Io): void {
  const { code, output } = execute(folder, command, [], io.env, true)
  if (code !== 0) throw new UnreachableError(`${command} failed:\n${output}`)
}

async function answersOf(url: URL, project: Project, io: Io): Promise<Answers> {
  const secret = secretIn(project) ?? (await readKeys({}, io, { need: ['secret'] })).secret!
  return sendBoth(url, secret, io)
}

function inWords({ written, todo, answers }: Outcome, by: string, io: Io): readonly string[] {
  const lines = [written.length === 0 ? 'Nothing was changed.' : `Written: ${written.join(', ')}`]
  if (answers !== null) {
    const { signed, forged } = answers
    lines.push(`${by}: a signed event was answered ${signed}, a forged one ${forged}.`)
  }
  const todos = todo.map((line) => printable(`To do: ${line}`, Infinity))
  const [first, ...rest] = lines.map((line) => printable(line, Infinity))
  return [first!, ...rest.map((line) => paint(io, 'green', line)), ...todos]
}
