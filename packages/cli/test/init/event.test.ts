import { chmodSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { run, runJson } from '../support/command.js'
import { rawHeader, startEndpoint } from '../support/endpoint.js'
import { TestProject } from '../support/project.js'
import { signed } from '../support/truth.js'

const PACKAGES = ['express', 'core'].map((name) => `node_modules/@service-signature/${name}/package.json`)
const DEPENDENCIES = {
  express: '5',
  '@service-signature/express': '0.1.0',
  '@service-signature/core': '0.1.0',
}
const INSTALLED = Object.fromEntries(PACKAGES.map((path) => [path, {}]))
/** Code of a test, or of a runner, that says what was answered. */
const reports = (answers: string) =>
  `process.getBuiltinModule('fs').writeFileSync(process.env.SERVICE_SIGNATURE_ANSWERS, '${answers}')\n`
const REPORTS = reports('[204,401]')
const PATH = process.env['PATH']!
const env = { PATH }

/** A project whose packages are installed, with a test that the user has changed. */
function projectWith(
  test: string,
  manifest: object = {},
  files: Readonly<Record<string, string | object>> = {},
) {
  return new TestProject({
    'package.json': { dependencies: DEPENDENCIES, ...manifest },
    ...INSTALLED,
    'webhooks.test.mjs': `// @service-signature/core\n${test}`,
    ...files,
  })
}

describe('the test of the project', () => {
  it('shows that a signed event is answered', async () => {
    const project = projectWith(REPORTS)
    const { code, stdout } = await run(['init', project.folder, '--yes'], { env })
    expect(code).toBe(0)
    expect(stdout).toContain('webhooks.test.mjs: a signed event was answered 204, a forged one 401.\n')
    expect(await runJson(['init', project.folder, '--yes'], { env })).toMatchObject({
      code: 0,
      json: { written: [], answers: { signed: 204, forged: 401 } },
    })
  })

  it.each([
    ['', 'The test did not run to its end'],
    [REPORTS, 'The test fails'],
  ])('that fails after "%s" is the result: 1', async (before, message) => {
    const project = projectWith(`${before}throw new Error('no answer')`)
    const { code, stdout, stderr } = await run(['init', project.folder, '--yes'], { env })
    expect(code).toBe(1)
    expect(stderr).toContain(`error: ${message}: node --test webhooks.test.mjs\n`)
    expect(stderr).toContain('no answer')
    expect(stdout).toMatch(/^Written: .*webhooks\.js.*\nTo do: /m)
    expect(stdout).toMatch(/\nTo do: Run the test:\n {4}node --test webhooks\.test\.mjs\n$/)
  })

  it.each([
    [
      '[401,401]',
      'The endpoint answered a signed event with 401, and a forged one with 401; expected 2xx and 401.',
    ],
    [
      '[204,204]',
      'The endpoint answered a signed event with 204, and a forged one with 204; expected 2xx and 401.',
    ],
    ['[]', 'The test did not run: no event was sent by node --test webhooks.test.mjs\n'],
    ['204, 401', 'The test did not run: no event was sent by node --test webhooks.test.mjs\n'],
  ])('that reports %s although it succeeds is refused: 1', async (answers, message) => {
    const project = projectWith(reports(answers))
    const { code, stdout, stderr } = await run(['init', project.folder, '--yes'], { env })
    expect(code).toBe(1)
    expect(stderr).toContain(`error: ${message}`)
    expect(stdout).not.toContain('answered')
  })

  it.each([
    ['vitest', 'vitest.mjs', 'run webhooks.test.js'],
    ['jest', 'bin/jest.js', '--runTestsByPath webhooks.test.js'],
  ])('is run by %s', async (runner, program, args) => {
    const project = projectWith('', { devDependencies: { [runner]: '1' } })
    expect((await run(['init', project.folder, '--yes'], { env })).stdout).toContain(
      `To do: Install the packages:\n    npm install\nTo do: Run the test:\n    node `,
    )
    project.write(`node_modules/${runner}/package.json`, {})
    project.write(
      `node_modules/${runner}/${program}`,
      `if (process.argv.slice(2).join(" ") !== process.env.ARGS) throw 1\n${REPORTS}`,
    )
    const { code, stdout } = await run(['init', project.folder, '--yes'], { env: { ...env, ARGS: args } })
    expect(code).toBe(0)
    expect(stdout).toContain('webhooks.test.js: a signed event was answered 204')
  })

  it.each(['workers', 'hono'])('of %s in workerd needs no Node, and cannot report answers', async (host) => {
    const pool = { vitest: '4', '@cloudflare/vitest-pool-workers': '1', wrangler: '4', hono: '4' }
    const dependencies = { ...DEPENDENCIES, '@service-signature/fetch': '0.1.0' }
    const manifest = { type: 'module', dependencies, devDependencies: pool }
    const project = new TestProject({
      'package.json': manifest,
      ...INSTALLED,
      'node_modules/@service-signature/fetch/package.json': {},
      'node_modules/vitest/package.json': {},
      'node_modules/vitest/vitest.mjs': '',
      'tsconfig.json': '{}',
    })
    const argv = ['init', project.folder, '--yes', '--host', host]
    const { code, stdout } = await run(argv, { env })
    expect(code).toBe(0)
    expect(stdout).toContain('\nwebhooks.test.ts passed. It runs in workerd, so its answers were not seen.\n')
    expect(stdout).not.toContain('Run the test')
    expect(await runJson(argv, { env })).toMatchObject({ code: 0, json: { answers: null } })
    const test = project.read('webhooks.test.ts')
    expect(test).not.toMatch(/node:|process|init/)
    expect(test).toContain('  expect(answers).toEqual([204, 401])\n')
    project.write('node_modules/vitest/vitest.mjs', 'throw new Error("no answer")')
    const failed = await run(argv, { env })
    expect(failed.code).toBe(1)
    expect(failed.stderr).toContain(
      'error: The test fails: node node_modules/vitest/vitest.mjs run webhooks.test.ts\n',
    )
  })

  it.each([
    ['ts-node', 'webhooks.test.ts', 'register.js'],
    ['tsx', 'webhooks.test.mjs', 'index.js'],
  ])('of TypeScript is loaded by %s', async (loader, test, main) => {
    const project = projectWith('', { devDependencies: { [loader]: '1' } }, { 'tsconfig.json': '{}' })
    project.write(test, `// @service-signature/core\n${REPORTS}`)
    project.write(`node_modules/${loader}/package.json`, { main })
    project.write(
      `node_modules/${loader}/${main}`,
      "require.extensions['.ts'] = (module, file) => module._compile(require('fs').readFileSync(file, 'utf8'), file); require('fs').writeFileSync('loaded', '')",
    )
    const { code, stderr } = await run(['init', project.folder, '--yes'], { env })
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(project.has('loaded')).toBe(true)
  })

  it('of TypeScript is run by Node itself, if it can', async () => {
    nodeLoads('strip')
    const project = projectWith(REPORTS, {}, { 'tsconfig.json': '{}' })
    expect((await run(['init', project.folder, '--yes'], { env })).stdout).toMatch(
      /^webhooks\.test\.mjs: a signed event was answered 204/m,
    )
  })

  it('of TypeScript, and its script, wait for a Node or a loader that can run it', async () => {
    nodeLoads(undefined)
    const project = projectWith(REPORTS, {}, { 'tsconfig.json': '{}' })
    const { stdout } = await run(['init', project.folder, '--yes'], { env })
    expect(stdout).toMatch(
      /^To do: Use Node 22\.18 or later, or install tsx, because Node \S+ cannot load TypeScript\. Then run init again/m,
    )
    expect(stdout).not.toMatch(/^ {4}node /m)
    expect(project.read('package.json')).not.toContain('scripts')
    // As npm does it.
    const manifest = JSON.parse(project.read('package.json')) as object
    project.write('package.json', { ...manifest, devDependencies: { tsx: '4' } })
    await run(['init', project.folder, '--yes'], { env })
    expect(project.read('package.json')).toContain('"node --import tsx --test webhooks.test.mjs"')
  })
})

/** Whether this Node loads TypeScript by itself. */
function nodeLoads(typescript: string | undefined) {
  Object.defineProperty(process.features, 'typescript', { value: typescript, configurable: true })
  onTestFinished(() => void Reflect.deleteProperty(process.features, 'typescript'))
}

it.each([
  ['a route of Next', { 'app/webhooks/webhooks.test.js': `// @service-signature/core\n${REPORTS}` }, 'next'],
  ['TypeScript', { 'tsconfig.json': '{}' }, 'express'],
])(
  'the test of %s is not run in a package that declares CommonJS, and the line says what to remove',
  async (_, files, host) => {
    nodeLoads('strip')
    const dependencies = { ...DEPENDENCIES, '@service-signature/fetch': '0.1.0' }
    const manifest = { type: 'commonjs', dependencies }
    const fetch = { 'node_modules/@service-signature/fetch/package.json': {} }
    const project = projectWith(REPORTS, manifest, { ...fetch, ...files })
    const { code, stdout } = await run(['init', project.folder, '--yes', '--host', host], { env })
    expect(code).toBe(0)
    expect(stdout).toMatch(
      /^To do: Remove "type": "commonjs" from package\.json, because the endpoint is an ES module\nTo do: Run the test:\n {4}node --test /m,
    )
  },
)

describe('--url sends to a server that runs', () => {
  const now = 1743090080

  it('a signed event and a forged one, with the secret of .env', async () => {
    const { url, received } = await startEndpoint((res, _req, nth) =>
      res.writeHead(nth === 1 ? 204 : 401).end(),
    )
    const project = projectWith('', {}, { '.env': 'A=1\nWEBHOOK_SECRET="my secret"\n' })
    const { code, stdout } = await run(['init', project.folder, '--url', url], { env, now })
    expect(code).toBe(0)
    expect(stdout).toContain(`${url}: a signed event was answered 204, a forged one 401.\n`)
    const [first, second] = received.map((each) => rawHeader(each, 'Service-Signature'))
    const [, v3] = signed(received[0]!.body, now, 'my secret').split(',')
    expect(first).toContain(v3)
    expect(second).not.toContain(v3)
  })

  it.each([
    [[401, 401], 'with 401, and a forged one with 401'],
    [[204, 204], 'with 204, and a forged one with 204'],
  ])('and fails on the answers %j: 1', async (statuses, message) => {
    const { url } = await startEndpoint((res, _req, nth) => res.writeHead(statuses[nth - 1]!).end())
    const project = projectWith('')
    const { code, stderr } = await run(['init', project.folder, '--url', url], { env, now })
    expect(code).toBe(1)
    expect(stderr).toContain(`answered a signed event ${message}; expected 2xx and 401.`)
  })

  it('with the secret of the environment, if .env may not be written', async () => {
    const { url } = await startEndpoint((res, _req, nth) => res.writeHead(nth === 1 ? 204 : 401).end())
    const project = projectWith('', {}, { '.gitignore': 'dist\n' })
    const world = { env: { ...env, WEBHOOK_SECRET: 'my secret' } }
    expect(await run(['init', project.folder, '--url', url], world)).toMatchObject({ code: 0 })
  })

  it('and needs a secret, from the environment if .env has an empty one', async () => {
    const { url } = await startEndpoint((res, _req, nth) => res.writeHead(nth === 1 ? 204 : 401).end())
    const project = projectWith('', {}, { '.env': 'WEBHOOK_SECRET=\n' })
    expect(await run(['init', project.folder, '--url', url], { env })).toMatchObject({ code: 2 })
    const world = { env: { ...env, WEBHOOK_SECRET: 'my secret' } }
    expect(await run(['init', project.folder, '--url', url], world)).toMatchObject({ code: 0 })
  })

  it('that does not answer: 3', async () => {
    const project = projectWith('')
    // Port 1 of this machine is reserved, and nothing listens there.
    expect((await run(['init', project.folder, '--url', 'http://127.0.0.1:1/'], { env })).code).toBe(3)
  })
})

describe('--install', () => {
  /** A directory of programs in which npm is this script. */
  function npm(project: TestProject, script: string) {
    project.write('bin/npm', `#!/bin/sh\n${script}\n`)
    chmodSync(join(project.folder, 'bin/npm'), 0o755)
    return { PATH: [join(project.folder, 'bin'), PATH].join(delimiter) }
  }
  const FILES = { 'package.json': { dependencies: { express: '5' } } }

  it('runs the command of the package manager, and then the test', async () => {
    const project = new TestProject({
      ...FILES,
      'webhooks.test.mjs': `// @service-signature/core\n${REPORTS}`,
    })
    const script = `echo "$@" > arguments; ${PACKAGES.map((path) => `mkdir -p $(dirname ${path}); echo {} > ${path}`).join('; ')}`
    const { code, stdout } = await run(['init', project.folder, '--install', '--yes'], {
      env: npm(project, script),
    })
    expect(code).toBe(0)
    expect(project.read('arguments')).toBe('install @service-signature/express @service-signature/core\n')
    expect(stdout).toContain('a signed event was answered 204')
    expect(stdout).not.toContain('npm install')
  })

  it('that fails ends with 3, and shows why, what was written, and what is left to do', async () => {
    const ADD = 'npm install @service-signature/express @service-signature/core'
    const project = new TestProject(FILES)
    const { code, stdout, stderr } = await run(['init', project.folder, '--install'], {
      env: npm(project, 'echo no network; exit 1'),
    })
    expect(code).toBe(3)
    expect(stderr).toContain(`${ADD} failed:\nno network`)
    expect(stdout).toContain('\nWritten: webhooks.js, webhooks.test.mjs, .gitignore, .env\nTo do: ')
    expect(stdout).toMatch(
      new RegExp(`\nTo do: Install what the endpoint needs:\n {4}${ADD}\nTo do: Run the test:\n {4}node `),
    )
  })

  it('has nothing to do if the project has the packages', async () => {
    const project = projectWith('')
    expect((await run(['init', project.folder, '--install'], { env: npm(project, 'exit 1') })).code).toBe(0)
  })
})
