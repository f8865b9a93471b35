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
import type { Change, NewText, Todo } from '../init/change.js'
import {
  execute,
  lacksLoader,
  runTest,
  sendBoth,
  stepBefore,
  testCommand,
  type Answers,
} from '../init/check.js'
import { secretIn } from '../init/env-file.js'
import { checkWritable, writeText } from '../init/files.js'
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

/** What a run has done so far, so that a failed run can print it, too. */
interface Outcome {
  readonly written: string[]
  /** What the plan leaves to do. */
  readonly todo: Todo[]
  /** What is left to do after that: install, run the test. */
  readonly steps: Todo[]
  /** Null if no event was sent, or init has not seen the answers. */
  answers: Answers | null
  hasPassed: boolean
}

const ADD = { npm: 'npm install', pnpm: 'pnpm add', yarn: 'yarn add', bun: 'bun add' } as const

/** Writes an endpoint and its test into a project, and shows that the endpoint answers a signed event. */
export async function run(folder = '.', options: InitOptions, io: Io): Promise<number> {
  const { json = false, yes = false, dryRun = false } = options
  const url = options.url === undefined ? undefined : endpoint(options.url)
  const questions = openQuestions(io, !json && !yes && !dryRun)
  const say = (lines: readonly string[]) => {
    if (!json) print(io, lines.join('\n'))
  }
  try {
    const project = await readProject(folder, options.host, questions)
    const plan = planFor(project, dryRun ? withoutGit(project.folder) : openGit(io.env, project.folder))
    // What is left to do comes at the end.
    const shown = plan.changes.filter(({ kind }) => dryRun || kind !== 'todo')
    say([inLines(io, titleOf(project)), ...shown.map((change) => lineOf(change, io))])
    const outcome: Outcome = { written: [], todo: [], steps: [], answers: null, hasPassed: false }
    if (!dryRun) {
      try {
        await carryOut(outcome, project, plan, options, url, io, questions)
      } finally {
        say(inWords(outcome, url?.href ?? plan.test, io))
      }
    }
    if (json) {
      const { template: host, isTypeScript, isModule, runner, manager } = project
      const changes = plan.changes.map(({ kind, path, ...change }) => ({
        kind,
        path,
        about: inOneLine(change),
      }))
      const { written, answers } = outcome
      const todo = [...outcome.todo, ...outcome.steps].map(inOneLine)
      printJson(io, { host, isTypeScript, isModule, runner, manager, changes, written, todo, answers })
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

function lineOf({ kind, path, about, command }: Change, io: Io): string {
  return todoLines(`  ${kind} `, { about: path === undefined ? about : `${path}: ${about}`, command }, io)
}

/**
 * Asks everything about the files, then writes them, and then runs what may be run.
 *
 * @throws {RefusedError} if the endpoint does not answer as it should
 */
async function carryOut(
  outcome: Outcome,
  project: Project,
  { changes, packages, test }: Plan,
  { yes = false, install = false }: InitOptions,
  url: URL | undefined,
  io: Io,
  questions: Questions,
): Promise<void> {
  const mayDo = async (question: string) => yes || questions.ask(question)
  await writeChanges(outcome, project, changes, mayDo)
  const missing = packages.filter((name) => !project.dependencies.has(name))
  const add = [ADD[project.manager], ...missing].join(' ')
  // A step is left to do until it has succeeded.
  const { steps } = outcome
  const hasLoader = !lacksLoader(project)
  if (missing.length > 0) steps.push({ about: 'Install what the endpoint needs', command: add })
  if (url === undefined && hasLoader)
    steps.push({ about: 'Run the test', command: testCommand(project, test) })
  const adds = missing.length > 0 && (install || (await questions.ask(`Run ${add}?`)))
  if (adds) {
    runInstall(add, project, io)
    steps.shift()
  }
  if (url !== undefined) {
    outcome.answers = await answersOf(url, project, io)
    return
  }
  if ((missing.length > 0 && !adds) || !hasLoader) return
  const before = stepBefore(project, packages)
  if (before !== undefined) steps.unshift(before)
  else if (await mayDo(`Run ${testCommand(project, test)}?`)) {
    outcome.answers = runTest(project, test, io)
    outcome.hasPassed = true
    steps.shift()
  }
}

async function writeChanges(
  { written, todo }: Outcome,
  { folder }: Project,
  changes: readonly Change[],
  mayDo: (question: string) => Promise<boolean>,
): Promise<void> {
  const accepted: NewText[] = []
  for (const change of changes) {
    if (change.kind === 'todo') todo.push(change)
    if (change.text === undefined) continue
    const { kind, path, needs, otherwise } = change
    const isPossible = needs === undefined || accepted.some((other) => other.path === needs)
    if (isPossible && (kind === 'create' || (await mayDo(`Change ${path}?`)))) accepted.push(change)
    else todo.push(otherwise)
  }
  for (const { path } of accepted) checkWritable(folder, path)
  for (const change of accepted) {
    writeText(folder, change)
    written.push(change.path)
  }
}

function runInstall(command: string, { folder }: Project, io: Io): void {
  const { code, output } = execute(folder, command, [], io.env, true)
  if (code !== 0) throw new UnreachableError(`${command} failed:\n${output}`)
}

async function answersOf(url: URL, project: Project, io: Io): Promise<Answers> {
  const secret = secretIn(project) ?? (await readKeys({}, io, { need: ['secret'] })).secret!
  return sendBoth(url, secret, io)
}

function inWords(outcome: Outcome, by: string, io: Io): readonly string[] {
  const { written, todo, steps } = outcome
  const lines = [
    written.length === 0 ? 'Nothing was changed.' : `Written: ${written.join(', ')}`,
    ...resultOf(outcome, by),
  ]
  const [first, ...rest] = lines.map((line) => inLines(io, printable(line, Infinity)))
  const todos = [...todo, ...steps].map((each) => todoLines('To do: ', each, io))
  return [first!, ...rest.map((line) => paint(io, 'green', line)), ...todos]
}

function resultOf({ answers, hasPassed }: Outcome, by: string): readonly string[] {
  if (answers !== null)
    return [`${by}: a signed event was answered ${answers.signed}, a forged one ${answers.forged}.`]
  return hasPassed ? [`${by} passed. It runs in workerd, so its answers were not seen.`] : []
}

/** A command has a line of its own, so that it can be copied. */
function todoLines(label: string, { about, command }: Todo, io: Io): string {
  const sentence = printable(command === undefined ? about : `${about}:`, Infinity)
  const lines = inLines(io, label + sentence)
  return command === undefined ? lines : `${lines}\n    ${printable(command, Infinity)}`
}

function inOneLine({ about, command }: Todo): string {
  return command === undefined ? about : `${about}: ${command}`
}
