import { EXIT, RefusedError, UnreachableError } from '../exit.js'
import { execute, sendBoth, testCommand, type Answers } from '../init/check.js'
import { secretIn } from '../init/env-file.js'
import type { Change } from '../init/change.js'
import { planFor, write, type Plan } from '../init/plan.js'
import { readProject, type Project } from '../init/project.js'
import { openQuestions, type Questions } from '../init/questions.js'
import type { Io } from '../io.js'
import { readKeys } from '../keys.js'
import { paint, print, printJson } from '../output.js'
import { endpoint } from '../send/plan.js'

export interface InitOptions {
  readonly host?: string
  readonly dryRun?: true
  readonly yes?: true
  readonly install?: true
  readonly url?: string
  readonly json?: true
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
  const say = (text: string) => {
    if (!json) print(io, text)
  }
  try {
    const project = await readProject(folder, options.host, questions)
    const plan = planFor(project)
    // What is left to do comes at the end.
    const shown = plan.changes.filter(({ kind }) => dryRun || kind !== 'todo')
    say([titleOf(project), ...shown.map(lineOf)].join('\n'))
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
  return `  ${kind} ${path === undefined ? '' : `${path}: `}${about}`
}

/** @throws {RefusedError} if the endpoint does not answer as it should */
async function carryOut(
  project: Project,
  { changes, packages, test }: Plan,
  { yes, install }: InitOptions,
  url: URL | undefined,
  io: Io,
  questions: Questions,
): Promise<Outcome> {
  const written: string[] = []
  const todo: string[] = []
  for (const change of changes) {
    if (change.kind === 'todo') todo.push(change.about)
    if (change.text === undefined) continue
    const { kind, path } = change
    const mayWrite =
      (change.needs === undefined || written.includes(change.needs)) &&
      (kind === 'create' || yes === true || (await questions.ask(`Change ${path}?`)))
    if (mayWrite) {
      write(project.folder, change)
      written.push(path)
    } else todo.push(change.otherwise)
  }
  const command = `${ADD[project.manager]} ${packages.join(' ')}`
  const isMissing = packages.length > 0
  const installs = isMissing && (install === true || (await questions.ask(`Run ${command}?`)))
  if (installs) await installWith(command, project, io)
  const before = isMissing && !installs ? command : undefined
  const answers = await (url === undefined
    ? answersInTest(project, test, before, todo, io)
    : answersOf(url, project, io))
  return { written, todo, answers }
}

async function installWith(command: string, { folder }: Project, io: Io): Promise<void> {
  const { code, output } = await execute(folder, [command], io.env, { shell: true })
  if (code !== 0) throw new UnreachableError(`${command} failed:\n${output}`)
}

/** @param before a command that must be run before the test can be */
async function answersInTest(
  project: Project,
  test: string,
  before: string | undefined,
  todo: string[],
  io: Io,
): Promise<Answers | null> {
  const command = before ?? testCommand(project, test)
  if (typeof command === 'string') {
    todo.push(`${command}; then run init again, which sends a signed event`)
    return null
  }
  const { code, output } = await execute(project.folder, command, io.env)
  if (code !== 0) throw new RefusedError(`${test} fails:\n${output}`)
  // As the test expects it.
  return { signed: 204, forged: 401 }
}

async function answersOf(url: URL, project: Project, io: Io): Promise<Answers> {
  const secret = secretIn(project) ?? (await readKeys({}, io, { need: ['secret'] })).secret!
  const answers = await sendBoth(url, secret, io)
  const { signed, forged } = answers
  if (signed >= 200 && signed < 300 && forged === 401) return answers
  throw new RefusedError(
    `${url.href} answered a signed event with ${signed}, and a forged one with ${forged}; expected 2xx and 401.`,
  )
}

function inWords({ written, todo, answers }: Outcome, by: string, io: Io): string {
  const lines = [written.length === 0 ? 'Nothing was changed.' : `Written: ${written.join(', ')}`]
  if (answers !== null) {
    const { signed, forged } = answers
    lines.push(paint(io, 'green', `${by}: a signed event was answered ${signed}, a forged one ${forged}.`))
  }
  return [...lines, ...todo.map((line) => `To do: ${line}`)].join('\n')
}
