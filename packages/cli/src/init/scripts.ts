import type { Change, Todo } from './change.js'
import { loaderFor } from './check.js'
import { readText } from './files.js'
import type { Project } from './project.js'

/** Adds the script "test", unless the package has one that is not the one of "npm init". */
export function scriptChanges(project: Project, test: string): readonly Change[] {
  const { folder, scripts, runner } = project
  if (typeof scripts.test === 'string' && !scripts.test.includes('no test specified')) return []
  const command = {
    vitest: 'vitest run',
    jest: project.isModule ? 'node --experimental-vm-modules node_modules/jest/bin/jest.js' : 'jest',
    node: ['node', ...loaderFor(project), '--test', test].join(' '),
  }[runner]
  const text = readText(folder, 'package.json')!
  const manifest = Object(JSON.parse(text)) as { readonly scripts?: object }
  const changed = { ...manifest, scripts: { ...manifest.scripts, test: command } }
  return [
    {
      kind: 'change',
      path: 'package.json',
      about: `the script "test": ${command}`,
      text: JSON.stringify(changed, null, /^[ \t]+/m.exec(text)?.[0]) + (/\n$/.exec(text)?.[0] ?? ''),
      otherwise: { about: 'Add to package.json the script "test"', command },
    },
  ]
}

const LOADERS = ['next', 'wrangler', 'dotenv', '@nestjs/config', 'fastify-cli']
const LOADS = /--env-file|(?<=^|\s)(?:bun|next|wrangler)(?=\s)/

/** What the user has to do so that the server gets the secret. */
export function startNotes({ dependencies, template, scripts }: Project): readonly Todo[] {
  const script = [scripts.start, scripts.dev].find((text) => typeof text === 'string') ?? ''
  if (template === 'lambda' || LOADERS.some((name) => dependencies.has(name)) || LOADS.test(script)) return []
  const command = withEnvFile(script)
  const how = command === undefined ? ' (node has the option --env-file=.env)' : ''
  return [{ about: `Start the server with the variables of .env${how}`, command }]
}

/** Programs that start a server, and how each gets the variables of .env. */
const STARTERS: readonly (readonly [program: RegExp, command: string])[] = [
  [/(?<=^|\s)node(?=\s)/, 'node --env-file=.env'],
  [/(?<=^|\s)(?:npx )?tsx watch(?=\s)/, 'npx tsx watch --env-file=.env'],
  [/(?<=^|\s)(?:npx )?tsx(?=\s)/, 'npx tsx --env-file=.env'],
  [/(?<=^|\s)(?:npx )?ts-node(?= [^-])/, 'node --env-file=.env --require ts-node/register'],
  [/^(?:npx )?nodemon(?=.*\.ts\b)/, 'npx nodemon --exec "node --env-file=.env --require ts-node/register"'],
  [/^(?:npx )?nodemon(?=\s)/, 'npx nodemon --env-file=.env'],
  [/(?<=^|\s)(?:npx )?nest start\b/, 'npx nest start --env-file .env'],
  [/(?<=^|\s)deno (?:run|serve)(?=\s)/, '$& --env-file=.env'],
]

function withEnvFile(script: string): string | undefined {
  const starter = STARTERS.find(([program]) => program.test(script))
  return starter === undefined || script.includes('--exec') ? undefined : script.replace(...starter)
}
