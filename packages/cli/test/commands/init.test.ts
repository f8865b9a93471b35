import { describe, expect, it } from 'vitest'
import type { World } from '../../../terminal/test/support/fake-io.js'
import { run, runJson } from '../support/command.js'
import { git } from '../support/git.js'
import { TestProject } from '../support/project.js'

const SERVER = `const express = require('express')

const app = express()
app.use(express.json())
`
const EXPRESS = { 'package.json': { dependencies: { express: '5' } }, 'server.js': SERVER }
const env = { PATH: process.env['PATH']! }
const PERSON: World = { isTyped: true, isTerminal: true }
const MOUNTED = `const express = require('express')
const { webhooks } = require('./webhooks')

const app = express()
app.post('/webhooks', webhooks())
app.use(express.json())
`

describe('without a terminal', () => {
  it('creates files, changes none that exists, and says what is left to do', async () => {
    const project = new TestProject({ ...EXPRESS, '.env': 'PORT=3000', '.env.example': 'PORT=' })
    project.write('.gitignore', '.env\n')
    const { code, stdout, stderr } = await run(['init', project.folder])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toBe(`Express, CommonJS; tests with node --test; npm
  create webhooks.js: the endpoint
  create webhooks.test.mjs: its test
  change .env: WEBHOOK_SECRET, a random one for this machine (git ignores the file)
  change .env.example: WEBHOOK_SECRET, without a value
  change server.js: app.post('/webhooks', webhooks())
  change package.json: the script "test": node --test webhooks.test.mjs
Written: webhooks.js, webhooks.test.mjs
To do: Set WEBHOOK_SECRET, for example in .env, which git must ignore
To do: Add WEBHOOK_SECRET= to .env.example
To do: Other users of this machine can read .env. To change that:
    chmod 600 .env
To do: Add app.post('/webhooks', webhooks()) to server.js, above the body parsers of other routes. It needs: const { webhooks } = require('./webhooks')
To do: Add to package.json the script "test":
    node --test webhooks.test.mjs
To do: Start the server with the variables of .env (node has the option --env-file=.env)
To do: Install what the endpoint needs:
    npm install @service-signature/express @service-signature/core
To do: Run the test:
    node --test webhooks.test.mjs
`)
    expect(project.read('server.js')).toBe(SERVER)
    expect(project.read('.env')).toBe('PORT=3000')
    expect(project.read('.env.example')).toBe('PORT=')
  })

  it('breaks no command at the width of the terminal', async () => {
    const scripts = { start: `node ${'a/'.repeat(40)}server.js` }
    const project = new TestProject({ 'package.json': { ...EXPRESS['package.json'], scripts } })
    const commands = [
      `node --env-file=.env ${'a/'.repeat(40)}server.js`,
      'npm install @service-signature/express @service-signature/core',
    ]
    for (const options of [[], ['--dry-run']]) {
      const { stdout } = await run(['init', project.folder, ...options], { width: 40 })
      expect(stdout).toContain(`:\n    ${commands[0]!}\n`)
      expect(stdout.includes(`:\n    ${commands[1]!}\n`)).toBe(options.length === 0)
      const tooLong = stdout.split('\n').filter((line) => line.length > 40 && !/^ {4}\S/.test(line))
      expect(tooLong).toEqual([])
    }
  })

  it('--yes changes them, and a second time changes nothing', async () => {
    const project = new TestProject({ ...EXPRESS, '.env': 'PORT=3000', '.env.example': 'PORT=\n' })
    expect((await run(['init', project.folder, '--yes'])).code).toBe(0)
    expect(project.read('server.js')).toBe(MOUNTED)
    expect(project.read('.env')).toMatch(/^PORT=3000\nWEBHOOK_SECRET=[0-9a-f]{48}\n$/)
    expect(project.read('.env.example')).toBe('PORT=\nWEBHOOK_SECRET=\n')
    expect(project.read('.gitignore')).toBe('.env\n')
    const files = ['server.js', '.env', '.env.example', '.gitignore', 'webhooks.js', 'webhooks.test.mjs']
    const before = files.map((file) => project.read(file))
    const { code, stdout } = await run(['init', project.folder, '--yes'])
    expect(code).toBe(0)
    expect(stdout).toContain('\nNothing was changed.\n')
    expect(stdout.match(/^ {2}\w+/gm)).toEqual(Array(5).fill('  keep'))
    expect(files.map((file) => project.read(file))).toEqual(before)
  })

  it('--dry-run writes nothing', async () => {
    const project = new TestProject(EXPRESS)
    const { code, stdout } = await run(['init', project.folder, '--dry-run', '--yes'])
    expect(code).toBe(0)
    expect(stdout).toContain('  create webhooks.js: the endpoint\n')
    expect(stdout).not.toContain('Written')
    expect(['webhooks.js', '.env', '.gitignore'].filter((path) => project.has(path))).toEqual([])
  })
})

describe('at a terminal', () => {
  it('asks before it changes a file, and does not ask for new ones', async () => {
    const project = new TestProject({ ...EXPRESS, '.env.example': '' })
    const { code, stdout } = await run(['init', project.folder], { ...PERSON, stdin: 'n\nYES\nn\n' })
    expect(code).toBe(0)
    expect(stdout.match(/.*\[y\/N\] /g)!.join('')).toBe(
      'Change .env.example? [y/N] Change server.js? [y/N] Change package.json? [y/N] Run npm install @service-signature/express @service-signature/core? [y/N] ',
    )
    expect(project.read('.env.example')).toBe('')
    expect(project.read('server.js')).toBe(MOUNTED)
  })

  it('asks which of several hosts it is', async () => {
    const project = new TestProject({ 'package.json': { dependencies: { koa: '3', express: '5' } } })
    const { code, stdout } = await run(['init', project.folder], { ...PERSON, stdin: 'koa\n' })
    expect(code).toBe(0)
    expect(stdout).toMatch(/^Which one: express, koa\? Koa, CommonJS;/)
  })
})

describe('wrong use: 2, and nothing is written', () => {
  it.each([
    [{}, [], 'There is no package.json in '],
    [{ 'package.json': '{' }, [], 'package.json is not JSON: '],
    [
      { 'package.json': { dependencies: { koa: '3', express: '5' } } },
      [],
      'The project has express and koa. Choose one: --host <name>.',
    ],
    [EXPRESS, ['--host', 'django'], '--host must be one of nest, next, hono, express, koa, '],
    [EXPRESS, ['--url', 'localhost'], 'The URL must be a whole one'],
    [{ 'package.json': {} }, ['--host', 'nest'], 'Nest needs TypeScript, and there is no tsconfig.json in '],
    [
      { ...EXPRESS, 'webhooks.js': 'mine' },
      [],
      'webhooks.js exists and does not use @service-signature. Rename it; nothing was written.',
    ],
    [{ ...EXPRESS, 'webhooks.test.mjs': 'mine' }, [], 'webhooks.test.mjs exists'],
  ])('%j %j', async (files, options, message) => {
    const project = new TestProject(files)
    const { code, json } = await runJson(['init', project.folder, '--yes', ...options])
    expect(code).toBe(2)
    expect(json).toMatchObject({
      error: { code: 'ERR_USAGE', message: expect.stringContaining(message) as string },
    })
    expect(project.has('.env')).toBe(false)
  })
})

describe('the secret', () => {
  it('is not written into a file that git does not ignore', async () => {
    const project = new TestProject({ ...EXPRESS, '.gitignore': 'node_modules' })
    git(project.folder, 'init', '-q')
    const { stdout } = await run(['init', project.folder], { env })
    expect(project.has('.env')).toBe(false)
    expect(project.read('.gitignore')).toBe('node_modules')
    expect(stdout).toContain('To do: Add .env to .gitignore\nTo do: Set WEBHOOK_SECRET, for example in .env')
    await run(['init', project.folder, '--yes'], { env })
    expect(project.read('.gitignore')).toBe('node_modules\n.env\n')
    expect(git(project.folder, 'check-ignore', '.env')).toBe('.env\n')
    expect(project.read('.env')).toMatch(/^WEBHOOK_SECRET=/)
  })

  it('is not written into a file that git tracks', async () => {
    const project = new TestProject({ ...EXPRESS, '.env': '' })
    git(project.folder, 'init', '-q')
    git(project.folder, 'add', '.env')
    const { stdout } = await run(['init', project.folder, '--yes'], { env })
    expect(project.read('.env')).toBe('')
    expect(stdout).toContain('To do: Set WEBHOOK_SECRET. It was not written, because git tracks .env\n')
  })

  it('is written where a pattern of git matches', async () => {
    const project = new TestProject({ ...EXPRESS, '.gitignore': '.e*\n' })
    git(project.folder, 'init', '-q')
    await run(['init', project.folder], { env })
    expect(project.read('.env')).toMatch(/^WEBHOOK_SECRET=/)
    expect(project.read('.gitignore')).toBe('.e*\n')
  })

  it.each(['workers', 'hono'])('of %s is where wrangler reads it', async (host) => {
    const project = new TestProject({ 'package.json': { devDependencies: { wrangler: '4' } } })
    const { json } = await runJson(['init', project.folder, '--host', host])
    expect((json as { written: string[] }).written).toContain('.dev.vars')
  })
})
