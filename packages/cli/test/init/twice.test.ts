import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { run } from '../support/command.js'
import { TestProject } from '../support/project.js'

const env = { PATH: process.env['PATH']! }
const types = { 'tsconfig.json': '{}' }
const PROJECTS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'Express, TypeScript': {
    ...types,
    'src/index.ts': "import express from 'express'\nexport const app = express()\n",
  },
  'Express, CommonJS': { 'server.js': "const express = require('express')\nconst app = express()\n" },
  Koa: { 'server.js': "const Koa = require('koa')\nconst app = new Koa()\n" },
  Hapi: { 'server.js': 'async function main() {\n  await server.start()\n}\n' },
  Fastify: { 'server.js': 'const app = fastify()\n' },
  Hono: { ...types, 'src/index.ts': 'const app = new Hono()\nexport default app\n' },
  Nest: {
    ...types,
    'src/app.module.ts': '@Module({\n  imports: [],\n})\nexport class AppModule {}\n',
    'src/main.ts': 'const app = await NestFactory.create(AppModule)\n',
  },
  Next: { ...types, 'src/app/page.tsx': '' },
  Workers: { ...types, 'src/index.ts': 'export default {\n  async fetch(request, env) {\n  },\n}\n' },
  Lambda: { ...types, 'src/handler.ts': '' },
  'node:http': { 'server.js': '' },
}
const DEPENDENCIES: Readonly<Record<string, string>> = {
  Hapi: '@hapi/hapi',
  Nest: '@nestjs/core',
  Workers: 'wrangler',
  Lambda: '@types/aws-lambda',
}

/** All files of a folder with their bytes and permissions. */
function treeOf(folder: string) {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()
  return paths.map((path) => {
    const place = join(folder, path)
    const stats = statSync(place)
    return [path, stats.mode, stats.isFile() ? readFileSync(place, 'latin1') : '']
  })
}

const ADAPTERS = ['core', 'express', 'koa', 'hapi', 'fastify', 'fetch', 'nest', 'lambda', 'node']
const PACKAGES = ADAPTERS.map((name) => `@service-signature/${name}`)

describe.each(Object.keys(PROJECTS))('init in a project of %s', (title) => {
  const name = DEPENDENCIES[title] ?? title.split(',')[0]!.toLowerCase()
  const dependencies = name === 'node:http' ? {} : { [name]: '1' }

  it.each([[[]], [['--yes']]])('with the options %j changes nothing the second time', async (options) => {
    const project = new TestProject({ 'package.json': { type: 'module', dependencies }, ...PROJECTS[title] })
    const first = await run(['init', project.folder, ...options], { env })
    expect(first).toMatchObject({ code: 0, stderr: '' })
    const before = treeOf(project.folder)
    const { code, stdout } = await run(['init', project.folder, ...options], { env })
    expect(code).toBe(0)
    expect(stdout).toContain('\nNothing was changed.\n')
    expect(treeOf(project.folder)).toEqual(before)
    const notes = /^To do: .*\n {4}npx wrangler .*|^To do: Add a function to your template .*/gm
    expect(stdout.match(notes)).toEqual(first.stdout.match(notes))
    expect(stdout.match(notes) ?? []).toHaveLength({ Workers: 2, Lambda: 1 }[title] ?? 0)
  })

  it('runs nothing of the project without consent', async () => {
    const own = Object.fromEntries(PACKAGES.map((each) => [each, '0.1.0']))
    const mark = "process.getBuiltinModule('fs').writeFileSync('marker', '')"
    const project = new TestProject({
      'package.json': {
        type: 'module',
        scripts: { start: 'touch marker', test: 'touch marker' },
        dependencies: { ...dependencies, ...own },
        devDependencies: { vitest: '4' },
      },
      ...Object.fromEntries([...PACKAGES, 'vitest'].map((each) => [`node_modules/${each}/package.json`, {}])),
      'node_modules/vitest/vitest.mjs': mark,
      'vitest.config.js': mark,
      ...PROJECTS[title],
    })
    const { code, stdout } = await run(['init', project.folder], { env })
    expect(code).toBe(0)
    expect(stdout).toContain('To do: Run the test:\n    node node_modules/vitest/vitest.mjs run ')
    expect(project.has('marker')).toBe(false)
    // With consent it runs.
    await run(['init', project.folder, '--yes'], { env })
    expect(project.has('marker')).toBe(true)
  })
})
