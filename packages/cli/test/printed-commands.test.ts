import { describe, expect, it } from 'vitest'
import { readPackages } from '../../../tools/release/metadata.js'
import { FakeIo } from '../../terminal/test/support/fake-io.js'
import { buildProgram } from '../src/program.js'
import {
  code,
  commandsIn,
  copied,
  installedIn,
  pages,
  printedCommands,
  ROOT,
  type Source,
} from './support/printed-commands.js'

const program = buildProgram({ io: new FakeIo(), end: () => undefined })
const NAMES = program.commands.map((command) => command.name())
const commands = await printedCommands(NAMES)

/** Of others: tools that a page is about, and each program that the start script of a project runs, so that npx finds it there. */
const OF_OTHERS = ['vitest', 'wrangler', 'prisma', '<word>']
/** Packages of others that lines for npm, pnpm, yarn or bun install. */
const INSTALLED_OF_OTHERS = [
  ...['@aws-sdk/client-dynamodb', '@hapi/hapi', '@hono/node-server', '@koa/router'],
  ...['@types/express', '@types/koa', '@types/node', 'better-sqlite3', 'bullmq', 'express'],
  ...['fastify', 'graphile-worker', 'hono', 'ioredis', 'joi'],
  ...['koa', 'mysql2', 'npm', 'pg', 'pg-boss', 'typescript', 'wrangler'],
]

const PUBLISHED = readPackages(ROOT)
  .map(({ manifest }) => manifest as unknown as Manifest)
  .filter((manifest) => manifest.private !== true)
const OURS = PUBLISHED.filter(({ bin }) => bin !== undefined)

interface Manifest {
  readonly name: string
  readonly private?: boolean
  readonly bin?: Readonly<Record<string, string>>
}

describe('a command that is printed', () => {
  it('is found with its variables and quotes, and without what follows it', () => {
    const text = [
      '$ KEY=a npx one two "$b c" 2> /dev/null | head -3',
      "d=$(npx one --e 'f g')\" npx",
      'See `npx one <url of h> --i`, or "npx two j.k". Why: `npx one ${l}`',
    ].join('\n')
    expect(commandsIn({ path: 'page', text }).map((command) => command.text)).toEqual([
      'KEY=a npx one two "$b c"',
      "npx one --e 'f g'",
      'npx one <url of h> --i',
      'npx two j.k',
      'npx one <l>',
    ])
  })

  it('runs the one package of ours that has a command, which has its name', () => {
    expect(OURS.map(({ name, bin }) => [name, Object.keys(bin!)])).toEqual([
      ['service-signature', ['service-signature']],
    ])
    const ours = commands.filter(({ name }) => name === 'service-signature')
    expect(ours.length).toBeGreaterThan(50)
    expect(commands.filter((each) => !ours.includes(each) && !OF_OTHERS.includes(each.name))).toEqual([])
  })

  it('installs packages that are published, and of others only known ones, in any version', () => {
    expect(installedIn({ path: 'page', text: 'Run `yarn add --dev @a/b@^1.2 c@next && npm start`' })).toEqual(
      ['@a/b', 'c'],
    )
    const ours = [...PUBLISHED.map(({ name }) => name), '@service-signature/<host>']
    const installed = new Set([...pages, ...code, ...copied].flatMap(installedIn))
    expect([...installed].filter((name) => !ours.includes(name)).sort()).toEqual(INSTALLED_OF_OTHERS)
  })

  it.each(commands.filter(({ name }) => name === 'service-signature'))(
    '$text, of $path, has a command and options that exist',
    ({ words: [first, ...rest] }) => {
      if (first === '--help' || first === '--version') return
      // A placeholder is the name of any command.
      const command = program.commands.find((each) => each.name() === first || first === '<command.name()>')
      expect(command?.name()).toBeDefined()
      const options = [...command!.options.map(({ long }) => long), '--help']
      for (const word of rest.filter((each) => each.startsWith('--'))) expect(options).toContain(word)
    },
  )
})

describe('a command of ours is printed in no other form', () => {
  const findings = (sources: readonly Source[], other: RegExp) =>
    sources.flatMap(({ path, text }) => [...text.matchAll(other)].map(([found]) => `${path}: ${found}`))

  it('by the name of another package', () => {
    const others = /service-signature-sandbox\b|@service-signature\/cli\b/g
    // The sandbox sends it as its User-Agent, and begins the name of its cookie with it.
    expect(findings(code, others).filter((found) => !found.startsWith('sandbox/server/'))).toEqual([])
    expect(findings([...pages, ...copied], others)).toEqual([])
  })

  it('without npx, in a block of a shell or in the quotes of a message', () => {
    const shell = /^```(?:sh|bash|shell|console)\n([^]*?)^```$/gm
    const blocks = pages.map(({ path, text }) => ({
      path,
      text: [...text.matchAll(shell)].map(([, block]) => block).join(''),
    }))
    expect(findings(blocks, /(?<!npx )(?<![\w@/.-])service-signature [\w-].*/g)).toEqual([])
    expect(findings(code, /"service-signature [\w-].*/g)).toEqual([])
  })
})
