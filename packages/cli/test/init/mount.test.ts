import { expect, it } from 'vitest'
import { run } from '../support/command.js'
import { TestProject } from '../support/project.js'

const TYPES = { 'tsconfig.json': '{}' }
const module = (dependency: string) => ({ type: 'module', dependencies: { [dependency]: '1' } })

it.each([
  [
    'Express, in the style of the file',
    { 'package.json': { dependencies: { express: '4' } }, 'routes/index.js': '' },
    'app.js',
    'var express = require("express");\nvar path = require("path");\n\nvar app = express();\n',
    'var express = require("express");\nvar path = require("path");\nconst { webhooks } = require("./routes/webhooks");\n\nvar app = express();\napp.post("/webhooks", webhooks());\n',
  ],
  [
    'Koa',
    { 'package.json': module('koa') },
    'server.mjs',
    "import Koa from 'koa'\nimport {\n  a,\n} from './a.js'\nconst app = new Koa()\n",
    "import Koa from 'koa'\nimport {\n  a,\n} from './a.js'\nimport { webhooks } from './webhooks.js'\nconst app = new Koa()\napp.use(webhooks())\n",
  ],
  [
    'Hapi, before the server starts',
    { 'package.json': { dependencies: { '@hapi/hapi': '21' } } },
    'lib/server.js',
    'async function main() {\n  await server.start()\n}\n',
    "const { webhooks } = require('../webhooks')\nasync function main() {\n  await server.register(webhooks())\n  await server.start()\n}\n",
  ],
  [
    'Fastify',
    { 'package.json': module('fastify'), ...TYPES },
    'src/server.ts',
    "import Fastify from 'fastify'\nconst server = Fastify({ logger: true })\n",
    "import Fastify from 'fastify'\nimport webhooks from './webhooks.js'\nconst server = Fastify({ logger: true })\nserver.register(webhooks)\n",
  ],
  [
    'Fastify, as its quick start creates it',
    { 'package.json': module('fastify') },
    'server.js',
    "import Fastify from 'fastify'\n\nconst fastify = Fastify({\n  logger: true,\n\n  a: {\n  }\n})\n\nawait fastify.listen()\n",
    "import Fastify from 'fastify'\nimport webhooks from './webhooks.js'\n\nconst fastify = Fastify({\n  logger: true,\n\n  a: {\n  }\n})\nfastify.register(webhooks)\n\nawait fastify.listen()\n",
  ],
  [
    'a file with the line ends of Windows',
    { 'package.json': { dependencies: { fastify: '5' } } },
    'server.js',
    "const fastify = require('fastify')\r\nconst app = fastify({\r\n  logger: true\r\n});\r\n",
    "const fastify = require('fastify')\r\nconst webhooks = require('./webhooks');\r\nconst app = fastify({\r\n  logger: true\r\n});\r\napp.register(webhooks);\r\n",
  ],
  [
    'a script in strict mode',
    { 'package.json': { dependencies: { koa: '3' } } },
    'server.js',
    "#!/usr/bin/env node\n'use strict'\nconst app = new Koa()\n",
    "#!/usr/bin/env node\n'use strict'\nconst { webhooks } = require('./webhooks')\nconst app = new Koa()\napp.use(webhooks())\n",
  ],
  [
    'a file with a mark of its encoding',
    { 'package.json': { dependencies: { koa: '3' } } },
    'server.js',
    '\uFEFF\nconst app = new Koa()\n',
    "\uFEFFconst { webhooks } = require('./webhooks')\n\nconst app = new Koa()\napp.use(webhooks())\n",
  ],
  [
    'Hono',
    { 'package.json': module('hono'), ...TYPES },
    'src/index.ts',
    "import { Hono } from 'hono'\n\nconst app = new Hono<{ Bindings: Env }>()\n",
    "import { Hono } from 'hono'\nimport { webhooks } from './webhooks.js'\n\nconst app = new Hono<{ Bindings: Env }>()\napp.post('/webhooks', webhooks)\n",
  ],
  [
    'Workers',
    { 'package.json': { devDependencies: { wrangler: '4' } }, ...TYPES },
    'src/index.ts',
    'export default {\n\tasync fetch(request, env, ctx): Promise<Response> {\n\t\treturn new Response("a");\n\t},\n}\n',
    "import { webhooks } from './webhooks';\nexport default {\n\tasync fetch(request, env, ctx): Promise<Response> {\n\t\tif (new URL(request.url).pathname === '/webhooks') return webhooks(request, env);\n\t\treturn new Response(\"a\");\n\t},\n}\n",
  ],
] as const)('%s', async (_, files, path, before, after) => {
  const project = new TestProject({ ...files, [path]: before })
  expect((await run(['init', project.folder, '--yes'])).code).toBe(0)
  expect(project.read(path)).toBe(after)
  const { stdout } = await run(['init', project.folder, '--yes'])
  expect(stdout).toContain(`  keep ${path}: uses the endpoint\n`)
  expect(project.read(path)).toBe(after)
})

it.each([
  ['express', 'export const app = express()', "app.post('/webhooks', webhooks())"],
  ['express', 'export let server = express()', "server.post('/webhooks', webhooks())"],
  ['express', 'const app: Express = express()', "app.post('/webhooks', webhooks())"],
  ['express', 'export const app: express.Express = express()', "app.post('/webhooks', webhooks())"],
  ['koa', 'export const app = new Koa()', 'app.use(webhooks())'],
  ['koa', 'const app: Koa<State, Context> = new Koa()', 'app.use(webhooks())'],
  ['fastify', 'export const app: FastifyInstance = fastify({ logger: true })', 'app.register(webhooks)'],
  ['hono', 'export const app = new Hono()', "app.post('/webhooks', webhooks)"],
])('%s: %s is a place, whether it is exported later or not', async (host, created, line) => {
  const project = new TestProject({ 'package.json': module(host), ...TYPES })
  project.write('src/server.ts', `${created}\n\nexport default app\n`)
  expect((await run(['init', project.folder, '--yes'])).code).toBe(0)
  expect(project.read('src/server.ts')).toContain(`\n${created}\n${line}\n\nexport default app\n`)
})

it.each([
  ['    imports: [],', '    imports: [WebhooksModule],'],
  ['  imports: [\n    Other,\n  ],', '  imports: [\n    WebhooksModule,\n    Other,\n  ],'],
])('Nest gets a module, and unparsed bodies: %j', async (before, after) => {
  const project = new TestProject({
    'package.json': { dependencies: { '@nestjs/core': '11' } },
    'tsconfig.json': '{}',
    'src/app.module.ts': `import { Module } from '@nestjs/common';\n@Module({\n${before}\n})\n`,
    'src/main.ts': `import { AppModule } from './app.module';\nasync function bootstrap() {\n  const app = await NestFactory.create(AppModule);\n  await app.listen(3000);\n}\n`,
  })
  await run(['init', project.folder, '--yes'])
  expect(project.read('src/app.module.ts')).toBe(
    `import { Module } from '@nestjs/common';\nimport { WebhooksModule } from './webhooks.module';\n@Module({\n${after}\n})\n`,
  )
  expect(project.read('src/main.ts')).toBe(
    `import { AppModule } from './app.module';\nimport { unparsed } from '@service-signature/nest';\nasync function bootstrap() {\n  const app = await NestFactory.create(AppModule);\n  app.use('/webhooks', unparsed);\n  await app.listen(3000);\n}\n`,
  )
})

it.each([
  ['an empty project', {}],
  ['a server of another form', { 'a.js': 'export default makeApp(express())\n' }],
])('with %s, the place is not certain, and the line is printed', async (_, files) => {
  const project = new TestProject({ 'package.json': { dependencies: { express: '5' } }, ...files })
  const { stdout } = await run(['init', project.folder, '--yes'])
  expect(stdout).toContain(
    "To do: Add app.post('/webhooks', webhooks()) above the body parsers of other routes. It needs: ",
  )
  for (const [path, text] of Object.entries(files)) expect(project.read(path)).toBe(text)
})

it('with several servers, the files and the variables that were found are printed', async () => {
  const files = {
    'a.js': 'const app = express()\n',
    'b.js': 'const api = express()\n',
    'lib/c.js': 'const app = express()\n',
  }
  const project = new TestProject({ 'package.json': { dependencies: { express: '5' } }, ...files })
  const { stdout } = await run(['init', project.folder, '--yes'])
  expect(stdout).toContain(
    "To do: Add app.post('/webhooks', webhooks()) or api.post('/webhooks', webhooks()) to a.js or b.js or lib/c.js, above the body parsers of other routes. It needs: const { webhooks } = require('./webhooks') or const { webhooks } = require('../webhooks')\n",
  )
  for (const [path, text] of Object.entries(files)) expect(project.read(path)).toBe(text)
})

it('the variable that was found is printed with the line to add', async () => {
  const project = new TestProject({
    'package.json': { dependencies: { '@hapi/hapi': '21' } },
    'index.js': '  await hapi.start();\n',
  })
  const { stdout } = await run(['init', project.folder])
  expect(stdout).toContain('  change index.js: await hapi.register(webhooks())\n')
  expect(stdout).toContain(
    'To do: Add await hapi.register(webhooks()) to index.js, before the server starts.',
  )
})

it('does not take a built file, a test or a dependency for the server', async () => {
  const text = 'const app = express()\n'
  const project = new TestProject({
    'package.json': { dependencies: { express: '5' } },
    ...{
      'dist/a.js': text,
      'node_modules/a/a.js': text,
      'a.test.js': text,
      'a/b/c/d/e.js': text,
      'server.js': text,
    },
  })
  const { stdout } = await run(['init', project.folder, '--dry-run'])
  expect(stdout).toContain('  change server.js: ')
})

it('the line for node:http is printed', async () => {
  const { stdout } = await run(['init', new TestProject({ 'package.json': {} }).folder])
  expect(stdout).toContain("const handle = webhooks(), and in the listener: if (req.method === 'POST'")
})
