import { printBody, transactionEvent } from '@service-signature/core/testing'
import { RefusedError, type Io } from '@service-signature/terminal'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { post } from '../send/post.js'
import { signBody } from '../send/signing.js'
import type { Todo } from './change.js'
import { readText } from './files.js'
import { testsInWorkerd, type Project } from './project.js'

/** The statuses of a signed event, and of one that is signed with another secret. */
export interface Answers {
  readonly signed: number
  readonly forged: number
}

/**
 * Sends both to a server.
 *
 * @throws {UnreachableError} if it does not answer
 * @throws {RefusedError} if it does not answer as it should
 */
export async function sendBoth(url: URL, secret: string, io: Io): Promise<Answers> {
  const body = Buffer.from(printBody(transactionEvent()))
  const timestamp = String(Math.floor(io.now() / 1000))
  const send = (secret: string) => post(url, { body, header: signBody(body, { secret }, timestamp) }, 30)
  const { status: signed } = await send(secret)
  const { status: forged } = await send(`not ${secret}`)
  return expected({ signed, forged }, url.href)
}

/**
 * Runs the test of the endpoint, which sends both. It cannot report the answers from workerd: null.
 *
 * @throws {RefusedError} if it fails, sends none, or the endpoint does not answer as it should
 */
export function runTest(project: Project, test: string, io: Io): Answers | null {
  const own = mkdtempSync(join(tmpdir(), 'service-signature-'))
  try {
    const env = { ...io.env, SERVICE_SIGNATURE_ANSWERS: join(own, 'answers') }
    const { code, output } = execute(project.folder, process.execPath, testArguments(project, test), env)
    const command = testCommand(project, test)
    const failure = new RefusedError(`The test fails: ${command}\n${output}`)
    if (testsInWorkerd(project)) {
      if (code === 0) return null
      throw failure
    }
    const [, signed, forged] = /^\[(\d{3}),(\d{3})\]$/.exec(readText(own, 'answers') ?? '') ?? []
    if (forged === undefined) {
      const reason = code === 0 ? ': no event was sent by' : ' to its end:'
      throw new RefusedError(`The test did not run${reason} ${command}\n${output}`)
    }
    const answers = expected({ signed: Number(signed), forged: Number(forged) }, 'The endpoint')
    if (code !== 0) throw failure
    return answers
  } finally {
    rmSync(own, { recursive: true })
  }
}

function expected(answers: Answers, by: string): Answers {
  const { signed, forged } = answers
  if (signed >= 200 && signed < 300 && forged === 401) return answers
  throw new RefusedError(
    `${by} answered a signed event with ${signed}, and a forged one with ${forged}; expected 2xx and 401.`,
  )
}

/** Runs a command in a folder, to its end. */
export function execute(
  folder: string,
  command: string,
  args: readonly string[],
  env: Io['env'],
  shell = false,
) {
  const options = { cwd: folder, env: { ...env, NO_COLOR: '1' }, shell, maxBuffer: Infinity }
  const { status: code, stdout, stderr } = spawnSync(command, args, { ...options, encoding: 'utf8' })
  return { code, output: stdout + stderr }
}

/** The command that runs a test in the folder of the project. */
export function testCommand(project: Project, test: string): string {
  return ['node', ...testArguments(project, test)].join(' ')
}

function testArguments(project: Project, test: string): readonly string[] {
  const { runner, folder } = project
  if (runner === 'node') return [...loaderFor(project), '--test', test]
  const place = relative(folder, packageFolder(runner, folder) ?? join(folder, 'node_modules', runner))
  if (runner === 'vitest') return [`${place}/vitest.mjs`, 'run', test]
  return ['--experimental-vm-modules', `${place}/bin/jest.js`, '--runTestsByPath', test]
}

/** The options with which Node loads the files of the project. */
export function loaderFor({ isTypeScript, dependencies }: Project): readonly string[] {
  if (!isTypeScript) return []
  if (dependencies.has('ts-node')) return ['--require', 'ts-node/register']
  return dependencies.has('tsx') ? ['--import', 'tsx'] : []
}

/** Whether Node cannot load the TypeScript of the project. */
export function lacksLoader(project: Project): boolean {
  const { typescript = false } = process.features as { readonly typescript?: unknown }
  const needsLoader = project.isTypeScript && project.runner === 'node' && typescript === false
  return needsLoader && loaderFor(project).length === 0
}

/** What must be done before the test can run. */
export function stepBefore(project: Project, packages: readonly string[]): Todo | undefined {
  const { runner, folder, manager, isTypeScript, isModule, refusesImports } = project
  const needed = runner === 'node' ? packages : [...packages, runner]
  if (needed.some((name) => packageFolder(name, folder) === undefined))
    return { about: 'Install the packages', command: `${manager} install` }
  if (runner !== 'node' || loaderFor(project).length > 0) return undefined
  if (refusesImports && (isTypeScript || isModule))
    return {
      about: 'Remove "type": "commonjs" from package.json, because the endpoint is an ES module',
    }
  return undefined
}

/** Where a package is installed, for the files of a folder. */
function packageFolder(name: string, folder: string): string | undefined {
  const place = join(folder, 'node_modules', name)
  if (existsSync(join(place, 'package.json'))) return place
  return dirname(folder) === folder ? undefined : packageFolder(name, dirname(folder))
}
