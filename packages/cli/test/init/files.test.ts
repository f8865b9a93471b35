import { transformSync } from 'esbuild'
import { describe, expect, it } from 'vitest'
import { runJson } from '../support/command.js'
import { TestProject } from '../support/project.js'

interface Planned {
  readonly kind: string
  readonly path?: string
}

async function init(project: TestProject, ...options: string[]) {
  const { code, json } = await runJson(['init', project.folder, ...options])
  expect(code).toBe(0)
  return json as {
    host: string
    isTypeScript: boolean
    isModule: boolean
    runner: string
    manager: string
    changes: Planned[]
    written: string[]
    todo: string[]
    answers: unknown
  }
}

const DEPENDENCIES = {
  express: { express: '5' },
  koa: { koa: '3' },
  hapi: { '@hapi/hapi': '21' },
  fastify: { fastify: '5' },
  nest: { '@nestjs/core': '11', express: '5' },
  hono: { hono: '4' },
  next: { next: '16' },
  workers: { wrangler: '4' },
  lambda: { '@types/aws-lambda': '8' },
  node: {},
}

describe.each(Object.keys(DEPENDENCIES) as (keyof typeof DEPENDENCIES)[])('%s', (host) => {
  const forms = host === 'nest' ? ['ts'] : ['js', 'ts']
  it.each(forms.flatMap((form) => ['module', 'commonjs'].map((type) => [form, type])))(
    'has a route and a test, as %s in a package of type %s',
    async (form, type) => {
      const project = new TestProject({
        'package.json': { type, dependencies: DEPENDENCIES[host] },
        ...(form === 'ts' && { 'tsconfig.json': '{}' }),
      })
      const { host: found, written } = await init(project)
      expect(found).toBe(host)
      const [route, test] = written as [string, string]
      const isModule = type === 'module' || ['next', 'workers'].includes(host)
      expect(route).toMatch(form === 'ts' ? /\.ts$/ : /\.js$/)
      expect(test).toMatch(form === 'js' && isModule ? /\.test\.js$/ : /\.test\.mjs$/)
      const text = project.read(route)
      if (form === 'ts') return
      // Without types, in the syntax of the package.
      expect(text).not.toMatch(/: \w+ =|import type|\['/)
      for (const name of [route, test]) transformSync(project.read(name), { loader: 'js' })
      expect(/^(?:import|export) /m.test(text)).toBe(isModule)
      expect(/\brequire\(/.test(text)).toBe(!isModule)
      expect(text.includes('module.exports')).toBe(!isModule)
      expect(project.read(test)).toContain("import { it } from 'node:test'")
    },
  )
})

describe('where the files are', () => {
  it('a Koa project with a folder of routes', async () => {
    const project = new TestProject({ 'package.json': { dependencies: { koa: '3' } }, 'routes/index.js': '' })
    expect((await init(project)).written[0]).toBe('routes/webhooks.js')
  })

  it.each([
    [{}, ['webhooks.js', 'webhooks.test.mjs']],
    [{ 'src/app.js': '' }, ['src/webhooks.js', 'src/webhooks.test.mjs']],
    [{ 'routes/index.js': '', 'test/a.js': '' }, ['routes/webhooks.js', 'test/webhooks.test.mjs']],
  ])('an Express project with %j', async (files, expected) => {
    const project = new TestProject({ 'package.json': { dependencies: { express: '5' } }, ...files })
    expect((await init(project)).written.slice(0, 2)).toEqual(expected)
  })

  it.each([
    [{}, 'app/webhooks/route.ts'],
    [{ 'app/page.tsx': '' }, 'app/webhooks/route.ts'],
    [{ 'src/app/page.tsx': '' }, 'src/app/webhooks/route.ts'],
    [{ 'src/pages/index.tsx': '' }, 'src/app/webhooks/route.ts'],
  ])('a Next project with %j', async (files, expected) => {
    const project = new TestProject({
      'package.json': { dependencies: { next: '16' } },
      'tsconfig.json': '{}',
      ...files,
    })
    expect((await init(project)).written[0]).toBe(expected)
  })

  it('a Fastify project that loads its routes by itself needs no line in its server', async () => {
    const project = new TestProject({
      'package.json': { dependencies: { fastify: '5', '@fastify/autoload': '6' } },
      'routes/root.js': '',
      'app.js': 'const app = fastify({})\n',
    })
    const { written, todo } = await init(project)
    expect(written[0]).toBe('routes/webhooks.js')
    expect(project.read('routes/webhooks.js')).toContain('\nmodule.exports = webhooks\n')
    expect(todo.join()).not.toContain('app.register')
  })

  it('a Nest project has a module, and a spec next to it for Jest', async () => {
    const project = new TestProject({
      'package.json': { dependencies: { '@nestjs/core': '11' }, devDependencies: { jest: '30' } },
      'tsconfig.json': '{}',
      'src/app.module.ts': '',
      'test/app.e2e-spec.ts': '',
    })
    expect((await init(project)).written.slice(0, 2)).toEqual([
      'src/webhooks.module.ts',
      'src/webhooks.module.spec.ts',
    ])
    const test = project.read('src/webhooks.module.spec.ts')
    expect(test).toMatch(/^\/\*\* @jest-environment node \*\//)
    expect(test).not.toContain('vitest')
    expect(test).toContain("from './webhooks.module'")
  })
})

describe('how the test imports the route', () => {
  it.each([
    ['TypeScript for node --test', {}, { 'tsconfig.json': '{}' }, './webhooks.ts'],
    ['TypeScript for ts-node', { 'ts-node': '10' }, { 'tsconfig.json': '{}' }, './webhooks'],
    ['TypeScript, CommonJS', { vitest: '4' }, { 'tsconfig.json': '{}' }, './webhooks'],
    [
      'imports of .ts',
      { vitest: '4' },
      { 'tsconfig.json': '{ "compilerOptions": { "allowImportingTsExtensions": true } }' },
      './webhooks.ts',
    ],
    ['Jest, CommonJS', { jest: '30' }, {}, './webhooks'],
  ])('%s', async (_, devDependencies, files, expected) => {
    const project = new TestProject({
      'package.json': { dependencies: { express: '5' }, devDependencies },
      ...files,
    })
    const { written } = await init(project)
    expect(project.read(written[1]!)).toContain(`'${expected}'`)
  })

  it('in a package of ES modules by its name as JavaScript', async () => {
    const project = new TestProject({
      'package.json': { type: 'module', dependencies: { hono: '4' }, devDependencies: { vitest: '4' } },
      'tsconfig.json': '{}',
      'src/index.ts': '',
      'tests/a.test.ts': '',
    })
    const { written } = await init(project)
    expect(written[1]).toBe('tests/webhooks.test.ts')
    expect(project.read('tests/webhooks.test.ts')).toContain("'../src/webhooks.js'")
  })
})

describe('the host', () => {
  it('of what a program needs counts more than what its tests need', async () => {
    const project = new TestProject({
      'package.json': { dependencies: { koa: '3' }, devDependencies: { express: '5', vitest: '4' } },
    })
    expect(await init(project)).toMatchObject({ host: 'koa', runner: 'vitest' })
  })

  it.each([
    ['wrangler.jsonc', 'workers'],
    ['serverless.yml', 'lambda'],
  ])('is shown by the file %s', async (file, host) => {
    expect((await init(new TestProject({ 'package.json': {}, [file]: '' }))).host).toBe(host)
  })

  it('is the one of --host', async () => {
    const project = new TestProject({ 'package.json': { dependencies: { next: '16', express: '5' } } })
    expect((await init(project, '--host', 'express')).host).toBe('express')
  })
})

it.each([
  ['package-lock.json', 'npm', 'npm install @service-signature/koa @service-signature/core'],
  ['pnpm-lock.yaml', 'pnpm', 'pnpm add @service-signature/koa @service-signature/core'],
  ['yarn.lock', 'yarn', 'yarn add @service-signature/koa @service-signature/core'],
  ['bun.lock', 'bun', 'bun add @service-signature/koa @service-signature/core'],
])('with %s, the packages are installed by %s', async (lock, manager, command) => {
  const workspace = new TestProject({ [lock]: '', 'apps/shop/package.json': { dependencies: { koa: '3' } } })
  const project = Object.assign(Object.create(workspace) as TestProject, {
    folder: `${workspace.folder}/apps/shop`,
  })
  const outcome = await init(project)
  expect(outcome).toMatchObject({ manager, answers: null })
  expect(outcome.todo.slice(-2)).toEqual([
    `Install what the endpoint needs: ${command}`,
    'Run the test: node --test webhooks.test.mjs',
  ])
})
