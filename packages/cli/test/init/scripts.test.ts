import { describe, expect, it } from 'vitest'
import { run } from '../support/command.js'
import { TestProject } from '../support/project.js'

const express = { dependencies: { express: '5' } }

it.each([
  ['node ./bin/www', 'node --env-file=.env ./bin/www'],
  ['NODE_ENV=production node server.js', 'NODE_ENV=production node --env-file=.env server.js'],
  ['node --import tsx src/index.ts', 'node --env-file=.env --import tsx src/index.ts'],
  ['tsc && node dist/index.js', 'npx tsc && node --env-file=.env dist/index.js'],
  [
    'A=b cross-env NODE_ENV=production node server.js',
    'A=b npx cross-env NODE_ENV=production node --env-file=.env server.js',
  ],
  ['rm -rf dist && express-build; node .', 'rm -rf dist && express-build; node --env-file=.env .'],
  ['express build && node .', 'npx express build && node --env-file=.env .'],
  ['npx nodemon server.js', 'npx nodemon --env-file=.env server.js'],
  ['tsx src/index.ts', 'npx tsx --env-file=.env src/index.ts'],
  ['tsx watch src/index.ts', 'npx tsx watch --env-file=.env src/index.ts'],
  ['npx tsx src/index.ts', 'npx tsx --env-file=.env src/index.ts'],
  ['ts-node src/index.ts', 'node --env-file=.env --require ts-node/register src/index.ts'],
  ['nodemon server.js', 'npx nodemon --env-file=.env server.js'],
  [
    'nodemon src/index.ts',
    'npx nodemon --exec "node --env-file=.env --require ts-node/register" src/index.ts',
  ],
  ['nest start --watch', 'npx nest start --env-file .env --watch'],
  ['deno run -A main.ts', 'deno run --env-file=.env -A main.ts'],
])('a server that %s starts is started with .env by %s, every time', async (script, command) => {
  for (const name of ['start', 'dev']) {
    const project = new TestProject({ 'package.json': { ...express, scripts: { [name]: script } } })
    const line = `\nTo do: Start the server with the variables of .env:\n    ${command}\n`
    expect((await run(['init', project.folder, '--yes'])).stdout).toContain(line)
    expect((await run(['init', project.folder, '--yes'])).stdout).toContain(line)
  }
})

describe('a server whose script "start" needs a build', () => {
  const scripts = { start: 'node -r ./setup.js dist/index.js', build: 'tsc' }
  const commandFor = async (scripts: object, files: Readonly<Record<string, string>> = {}) => {
    const project = new TestProject({ 'package.json': { ...express, scripts }, ...files })
    const { stdout } = await run(['init', project.folder])
    return /Start the server .*:\n {4}(.*)\n/.exec(stdout)?.[1]
  }
  const built = 'node --env-file=.env -r ./setup.js dist/index.js'

  it.each([
    [
      'by the script "dev"',
      { ...scripts, dev: 'tsx watch src/index.ts' },
      'npx tsx watch --env-file=.env src/index.ts',
    ],
    ['after the build', scripts, `npm run build && ${built}`],
    [
      'after the build, if "dev" also needs it',
      { ...scripts, dev: 'node dist' },
      `npm run build && ${built}`,
    ],
    ['without a build, if the package has no script for it', { start: scripts.start }, built],
  ])('is started %s', async (_, scripts, command) => {
    expect(await commandFor(scripts)).toBe(command)
  })

  it.each([['dist/index.js'], ['dist'], ['./dist/index']])(
    'is started as it is where the build has made the file, as %s',
    async (file) => {
      const scripts = { start: `node ${file}`, dev: 'tsx src/index.ts', build: 'tsc' }
      const command = `node --env-file=.env ${file}`
      expect(await commandFor(scripts, { 'dist/index.js': '' })).toBe(command)
    },
  )

  it('is the main file of the package where none is named', async () => {
    expect(await commandFor({ start: 'node --inspect', build: 'tsc' }, { 'index.js': '' })).toBe(
      'node --env-file=.env --inspect',
    )
  })
})

it.each([['ts-node --esm src/index.ts'], ['nodemon --exec tsx src/index.ts'], ['./start.sh'], [undefined]])(
  'of a server that %s starts, only the option of Node is named',
  async (start) => {
    const project = new TestProject({ 'package.json': { ...express, scripts: { start } } })
    expect((await run(['init', project.folder])).stdout).toContain(
      'To do: Start the server with the variables of .env (node has the option --env-file=.env)\n',
    )
  },
)

it.each([
  ['next dev', { next: '16' }],
  ['wrangler dev', { wrangler: '4', hono: '4' }],
  ['bun src/index.ts', { hono: '4' }],
  ['node --env-file=.env server.js', { express: '5' }],
  ['node server.js', { express: '5', dotenv: '17' }],
])('a server that %s starts reads the file by itself, with %j', async (start, dependencies) => {
  const project = new TestProject({ 'package.json': { dependencies, scripts: { start } } })
  expect((await run(['init', project.folder])).stdout).not.toContain('Start the server')
})

it.each([
  [{ express: '5', vitest: '4' }, {}, 'vitest run'],
  [{ express: '5', jest: '30' }, {}, 'jest'],
  [{ next: '16', jest: '30' }, {}, 'node --experimental-vm-modules node_modules/jest/bin/jest.js'],
  [{ express: '5' }, {}, 'node --test webhooks.test.mjs'],
  [{ express: '5', tsx: '4' }, { 'tsconfig.json': '{}' }, 'node --import tsx --test webhooks.test.mjs'],
])('with %j and %j, the script "test" becomes %s', async (dependencies, files, command) => {
  const manifest = `{\n\t"name": "shop",\n\t"dependencies": ${JSON.stringify(dependencies)}\n}\n`
  const project = new TestProject({ 'package.json': manifest, ...files })
  const { stdout } = await run(['init', project.folder])
  expect(stdout).toContain(`To do: Add to package.json the script "test":\n    ${command}\n`)
  expect(project.read('package.json')).toBe(manifest)
  await run(['init', project.folder, '--yes'])
  const text = project.read('package.json')
  expect(text).toMatch(/^\{\n\t"name": "shop",[^]*\n\}\n$/)
  expect(JSON.parse(text)).toEqual({ name: 'shop', dependencies, scripts: { test: command } })
})

it('replaces the script "test" that "npm init" writes, and no other', async () => {
  const npm = 'echo "Error: no test specified" && exit 1'
  const project = new TestProject({ 'package.json': { ...express, scripts: { a: 'b', test: npm } } })
  await run(['init', project.folder, '--yes'])
  const scripts = { a: 'b', test: 'node --test webhooks.test.mjs' }
  expect(project.read('package.json')).toBe(JSON.stringify({ ...express, scripts }))
  const own = new TestProject({ 'package.json': { ...express, scripts: { test: 'mocha' } } })
  expect((await run(['init', own.folder, '--yes'])).stdout).not.toContain('"test"')
})

const SCRIPT = '"test": "node --test webhooks.test.mjs"'

it.each([
  ['no scripts', '{"a":1}', `{"a":1,"scripts": { ${SCRIPT} }}`],
  ['nothing', '{ }\n', `{ "scripts": { ${SCRIPT} } }\n`],
  ['empty scripts', '{\n  "scripts": {}\n}', `{\n  "scripts": {${SCRIPT}}\n}`],
  [
    'its own form',
    '\uFEFF{\r\n    "2": 12345678901234567890, "1": [1.0, 2],\r\n    "scripts" : {\r\n\t"a": "\u00e9}"\r\n  }\r\n}',
    `\uFEFF{\r\n    "2": 12345678901234567890, "1": [1.0, 2],\r\n    "scripts" : {\r\n\t${SCRIPT.replace(':', ' :')},\r\n\t"a": "\u00e9}"\r\n  }\r\n}`,
  ],
  [
    'the script of "npm init"',
    '{ "scripts": { "a": "}", "test" : "echo \\"Error: no test specified\\" && exit 1" } }',
    `{ "scripts": { "a": "}", ${SCRIPT.replace(':', ' :')} } }`,
  ],
])('a package.json with %s gets the script, and no other change', async (_, before, after) => {
  const project = new TestProject({ 'package.json': before })
  await run(['init', project.folder, '--yes'])
  expect(project.read('package.json')).toBe(after)
})

it.each([
  ['two objects of that name', '{"a": {"scripts": {}}, "scripts": {}}'],
  ['an object whose name is escaped', '{"\\u0073cripts": {}}'],
  ['a name in a text', '{"a": "\\"scripts\\": {", "\\u0073cripts": {}}'],
  ['a script that is not a text', '{"scripts": {"test": {}}}'],
])('where the place of the script is not certain, as with %s, it is printed', async (_, manifest) => {
  const project = new TestProject({ 'package.json': manifest })
  const { code, stdout } = await run(['init', project.folder, '--yes'])
  expect(code).toBe(0)
  expect(stdout).toContain(
    'To do: Add to package.json the script "test":\n    node --test webhooks.test.mjs\n',
  )
  expect(project.read('package.json')).toBe(manifest)
})
