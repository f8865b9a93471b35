import { printBody, transactionEvent } from '@service-signature/core/testing'
import { spawn, type SpawnOptions } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import type { Io } from '../io.js'
import { post } from '../send/post.js'
import { signBody } from '../signing.js'
import { packagesFor } from './plan.js'
import type { Project } from './project.js'

/** The statuses of a signed event, and of one that is signed with another secret. */
export interface Answers {
  readonly signed: number
  readonly forged: number
}

/**
 * Sends both to a server.
 *
 * @throws {UnreachableError} if it does not answer
 */
export async function sendBoth(url: URL, secret: string, io: Io): Promise<Answers> {
  const body = Buffer.from(printBody(transactionEvent()))
  const timestamp = String(Math.floor(io.now() / 1000))
  const send = (secret: string) => post(url, { body, header: signBody(body, { secret }, timestamp) }, 30)
  const { status: signed } = await send(secret)
  const { status: forged } = await send(`not ${secret}`)
  return { signed, forged }
}

type CommandLine = readonly [string, ...string[]]

/** Runs a command in a folder, to its end. */
export async function execute(
  folder: string,
  [command, ...args]: CommandLine,
  env: Io['env'],
  options: SpawnOptions = {},
): Promise<{ code: number | null; output: string }> {
  const own = { ...env, NO_COLOR: '1' }
  const child = spawn(command, args, { ...options, cwd: folder, env: own, stdio: ['ignore', 'pipe', 'pipe'] })
  const closed = once(child, 'close') as Promise<[number | null]>
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), closed])
  return { code, output: stdout + stderr }
}

/** How to run a test in the project, or what must be done before. */
export function testCommand(project: Project, test: string): CommandLine | string {
  const { runner } = project
  const needed = [...packagesFor(project), ...(runner === 'node' ? [] : [runner])]
  const missing = needed.filter((name) => folderOf(name, project) === undefined)
  if (missing.length > 0) return `Install ${missing.join(', ')}`
  const node = process.execPath
  if (runner === 'vitest') return [node, join(folderOf('vitest', project)!, 'vitest.mjs'), 'run', test]
  if (runner === 'jest') {
    const program = join(folderOf('jest', project)!, 'bin/jest.js')
    return [node, '--experimental-vm-modules', program, '--runTestsByPath', test]
  }
  const loader = loaderFor(project)
  return loader === undefined
    ? `Node ${process.versions.node} cannot load TypeScript: use Node 22.18 or later, or install tsx`
    : [node, ...loader, '--test', test]
}

/** The options with which Node loads the files of the project, or undefined if it cannot. */
function loaderFor({ isTypeScript, dependencies }: Project): readonly string[] | undefined {
  if (!isTypeScript) return []
  if (dependencies.has('ts-node')) return ['--require', 'ts-node/register']
  if (dependencies.has('tsx')) return ['--import', 'tsx']
  const { typescript = false } = process.features as { readonly typescript?: unknown }
  return typescript === false ? undefined : []
}

/** Where a package is that the project has installed. */
function folderOf(name: string, { folder }: Project): string | undefined {
  const { resolve: find } = createRequire(join(resolve(folder), 'package.json'))
  try {
    return dirname(find(`${name}/package.json`))
  } catch {
    return undefined
  }
}
