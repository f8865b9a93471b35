import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import type { Change, Todo } from './change.js'
import { lacksLoader, loaderFor } from './check.js'
import { readText } from './files.js'
import { withScript } from './manifest.js'
import type { Project } from './project.js'

/** Adds the script "test", unless the package has one that is not the one of "npm init". */
export function scriptChanges(project: Project, test: string): readonly Change[] {
  const { folder, scripts, runner } = project
  if (lacksLoader(project)) {
    const reason = `because Node ${process.versions.node} cannot load TypeScript`
    const about = `Use Node 22.18 or later, or install tsx, ${reason}. Then run init again, for the test and its script`
    return [{ kind: 'todo', about }]
  }
  if (typeof scripts['test'] === 'string' && !scripts['test'].includes('no test specified')) return []
  const command = {
    vitest: 'vitest run',
    jest: project.isModule ? 'node --experimental-vm-modules node_modules/jest/bin/jest.js' : 'jest',
    node: ['node', ...loaderFor(project), '--test', test].join(' '),
  }[runner]
  const text = withScript(readText(folder, 'package.json')!, 'test', command)
  const otherwise = { about: 'Add to package.json the script "test"', command }
  if (text === undefined) return [{ kind: 'todo', ...otherwise }]
  const about = `the script "test": ${command}`
  return [{ kind: 'change', path: 'package.json', about, text, otherwise }]
}

const LOADERS = ['next', 'wrangler', 'dotenv', '@nestjs/config', 'fastify-cli']
const LOADS = /--env-file|(?<=^|\s)(?:bun|next|wrangler)(?=\s)/

/** What the user has to do so that the server gets the secret. */
export function startNotes(project: Project): readonly Todo[] {
  const { dependencies, template } = project
  const script = startScript(project)
  if (template === 'lambda' || LOADERS.some((name) => dependencies.has(name)) || LOADS.test(script)) return []
  const about = 'Start the server with the variables of .env'
  const starter = STARTERS.find(([program]) => program.test(script))
  if (starter === undefined || script.includes('--exec'))
    return [{ about: `${about} (node has the option --env-file=.env)` }]
  return [{ about, command: withNpx(script.replace(...starter), dependencies) }]
}

/** The script that starts the server as the project is, or after a build. */
function startScript({ folder, scripts, manager }: Project): string {
  const [script = '', other] = [scripts['start'], scripts['dev']].filter((text) => typeof text === 'string')
  if (!isForBuild(folder, script)) return script
  if (other !== undefined && !isForBuild(folder, other)) return other
  return typeof scripts['build'] === 'string' ? `${manager} run build && ${script}` : script
}

const WITH_VALUE: readonly unknown[] = ['-r', '--require', '--import', '--loader']

/** Whether a script runs a file that does not exist yet. A script of several commands makes the file itself. */
function isForBuild(folder: string, script: string): boolean {
  const words = script.split(/\s+/)
  if (!words.includes('node') || words.includes('&&')) return false
  const args = words.slice(words.indexOf('node') + 1)
  const file = args.find((word, at) => !word.startsWith('-') && !WITH_VALUE.includes(args[at - 1]))
  try {
    createRequire(join(folder, 'package.json')).resolve(resolve(folder, file ?? '.'))
    return false
  } catch {
    return true
  }
}

/** Programs that start a server, and how each gets the variables of .env. */
const STARTERS: readonly (readonly [program: RegExp, command: string])[] = [
  [/(?<=^|\s)node(?=\s)/, '$& --env-file=.env'],
  [/(?<=^|\s)tsx watch(?=\s)/, '$& --env-file=.env'],
  [/(?<=^|\s)tsx(?=\s)/, '$& --env-file=.env'],
  [/(?<=^|\s)(?:npx )?ts-node(?= [^-])/, 'node --env-file=.env --require ts-node/register'],
  [/^(?:npx )?nodemon(?=.*\.ts\b)/, '$& --exec "node --env-file=.env --require ts-node/register"'],
  [/^(?:npx )?nodemon(?=\s)/, '$& --env-file=.env'],
  [/(?<=^|\s)nest start\b/, '$& --env-file .env'],
  [/(?<=^|\s)deno (?:run|serve)(?=\s)/, '$& --env-file=.env'],
]

/** Programs whose package has another name, or may be installed by another package. */
const PROGRAMS = ['cross-env', 'nest', 'nodemon', 'tsc', 'tsx']

/** A script for a shell, which does not find the programs of the project as "npm run" does. */
function withNpx(script: string, dependencies: ReadonlySet<string>): string {
  return script.replaceAll(FIRST_WORDS, (all, variables: string, word: string) =>
    dependencies.has(word) || PROGRAMS.includes(word) ? `${variables}npx ${word}` : all,
  )
}

const FIRST_WORDS = /(?<=^|[&|;] )((?:\w+=\S+ )*)([\w-]+)(?=\s|$)/g
