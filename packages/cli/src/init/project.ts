import { oneOf, UsageError } from '@service-signature/terminal'
import { existsSync, readdirSync, realpathSync, type Dirent } from 'node:fs'
import { dirname, join } from 'node:path'
import { readText } from './files.js'
import { HOSTS, hostsIn, type Facts, type Host, type HostName } from './hosts.js'
import { readManifest, type Manifest } from './manifest.js'
import type { Questions } from './questions.js'

/** What the files that are written depend on. */
export interface Project extends Facts {
  /** Absolute, and without symbolic links. */
  readonly folder: string
  readonly host: Host
  /** The names of its templates. */
  readonly template: HostName
  readonly isTypeScript: boolean
  /** Whether JavaScript in it is written as ES modules. */
  readonly isModule: boolean
  /** Whether Node refuses `import` in its JavaScript and TypeScript. */
  readonly refusesImports: boolean
  /** Whether imports name TypeScript files as they are. */
  readonly importsTypeScript: boolean
  readonly runner: 'vitest' | 'jest' | 'node'
  readonly manager: Manager
  readonly scripts: NonNullable<Manifest['scripts']>
  /** Its source files, as paths from the folder. */
  readonly sources: readonly string[]
}

type Manager = 'npm' | 'pnpm' | 'yarn' | 'bun'

const LOCKS: readonly (readonly [file: string, manager: Manager])[] = [
  ['pnpm-lock.yaml', 'pnpm'],
  ['yarn.lock', 'yarn'],
  ['bun.lock', 'bun'],
  ['bun.lockb', 'bun'],
  ['package-lock.json', 'npm'],
]

/**
 * Reads what kind of project is in a folder.
 *
 * @throws {UsageError} if there is no project, or the host is not known
 */
export async function readProject(
  name: string,
  hostName: string | undefined,
  questions: Questions,
): Promise<Project> {
  if (!existsSync(join(name, 'package.json')))
    throw new UsageError(`There is no package.json in ${name}. Run init in the folder of a project.`)
  const folder = realpathSync(name)
  const manifest = readManifest(folder)
  const files = new Set(entriesOf(folder).map(({ name }) => name))
  const known = Object.keys(Object(manifest.dependencies) as object)
  const all = [...known, ...Object.keys(Object(manifest.devDependencies) as object)]
  const template = await chooseHost(hostName, [hostsIn(known, files), hostsIn(all, files)], questions)
  const host: Host = HOSTS[template]
  const isTypeScript = files.has('tsconfig.json')
  if (host.always === 'typescript' && !isTypeScript)
    throw new UsageError(`${host.title} needs TypeScript, and there is no tsconfig.json in ${name}.`)
  const folders = foldersOf(folder)
  return {
    folder,
    host,
    template,
    dependencies: new Set(all),
    folders,
    source: folders.has('src') ? 'src/' : '',
    isTypeScript,
    isModule: manifest.type === 'module' || host.always === 'modules',
    refusesImports: manifest.type === 'commonjs',
    importsTypeScript: isTypeScript && IMPORTS_TYPESCRIPT.test(readText(folder, 'tsconfig.json')!),
    runner: all.includes('vitest') ? 'vitest' : all.includes('jest') ? 'jest' : 'node',
    manager: managerOf(folder),
    scripts: manifest.scripts ?? {},
    sources: [...sourcesIn(folder)],
  }
}

/** Whether its tests run in workerd, which has neither node:fs nor the environment of the runner. */
export function testsInWorkerd({ runner, dependencies }: Project): boolean {
  return runner === 'vitest' && dependencies.has('@cloudflare/vitest-pool-workers')
}

const IMPORTS_TYPESCRIPT = /"(?:allowImportingTsExtensions|rewriteRelativeImportExtensions)": *true/

async function chooseHost(
  name: string | undefined,
  found: readonly (readonly HostName[])[],
  questions: Questions,
): Promise<HostName> {
  if (name !== undefined) return oneOf('--host', Object.keys(HOSTS) as HostName[], name)
  // What only tests need says less than what the program needs.
  const [first, ...others] = found.find((names) => names.length > 0) ?? ['node' as const]
  return others.length === 0 ? first! : questions.choose('--host', [first!, ...others])
}

/** By the lock file of the project, or of the workspace that it is in. */
function managerOf(folder: string): Manager {
  for (let path = folder; ; path = dirname(path)) {
    const lock = LOCKS.find(([file]) => existsSync(join(path, file)))
    if (lock !== undefined) return lock[1]
    if (existsSync(join(path, '.git')) || path === dirname(path)) return 'npm'
  }
}

function foldersOf(folder: string): ReadonlySet<string> {
  const names = foldersIn(folder)
  return new Set(
    names.flatMap((name) => [name, ...foldersIn(join(folder, name)).map((inner) => `${name}/${inner}`)]),
  )
}

const NOT_SOURCES = /^(?:\.|node_modules$|dist$|build$|out$|coverage$|public$)/

function foldersIn(folder: string): readonly string[] {
  return entriesOf(folder)
    .filter((entry) => entry.isDirectory() && !NOT_SOURCES.test(entry.name))
    .map(({ name }) => name)
}

/** The entries of a folder; empty if this user cannot read it, as with the data of a database. */
function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return []
  }
}

const SOURCE = /(?<!\.d|\.test|\.spec|\.config)\.[cm]?[jt]s$/

function* sourcesIn(folder: string, path = '', depth = 0): Iterable<string> {
  for (const entry of entriesOf(join(folder, path))) {
    const name = path + entry.name
    if (entry.isFile() && SOURCE.test(name)) yield name
    else if (entry.isDirectory() && !NOT_SOURCES.test(entry.name) && depth < 3)
      yield* sourcesIn(folder, `${name}/`, depth + 1)
  }
}
