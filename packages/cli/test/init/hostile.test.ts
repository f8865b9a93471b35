import { execFileSync } from 'node:child_process'
import { chmodSync, readdirSync, readFileSync, readlinkSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { main } from '../../src/main.js'
import { openGit } from '../../src/init/git.js'
import { FakeIo, type World } from '../../../terminal/test/support/fake-io.js'
import { asBoundUser } from '../support/bound-user.js'
import { run, runJson } from '../support/command.js'
import { git } from '../support/git.js'
import { TestProject } from '../support/project.js'

const PATH = process.env['PATH']!
const env = { PATH }
const PERSON: World = { env, isTyped: true, isTerminal: true }
const DEPENDENCIES = {
  express: '5',
  '@service-signature/express': '0.1.0',
  '@service-signature/core': '0.1.0',
}
const INSTALLED = Object.fromEntries(
  ['@service-signature/express', '@service-signature/core'].map((name) => [
    `node_modules/${name}/package.json`,
    {},
  ]),
)
const MARK = "require('node:fs').writeFileSync('marker', '')\n"

/** An installed project each of whose programs leaves a marker. */
function markingProject(runner: 'vitest' | 'jest' | 'node') {
  const project = new TestProject({
    'package.json': {
      scripts: { start: `node server.js`, test: 'node server.js' },
      dependencies: DEPENDENCIES,
      ...(runner !== 'node' && { devDependencies: { [runner]: '1' } }),
    },
    ...INSTALLED,
    '.gitignore': '.env\n',
    'server.js': MARK,
    'webhooks.test.mjs': `// @service-signature/\nimport { writeFileSync } from 'node:fs'\nwriteFileSync('marker', '')\n`,
    'webhooks.test.js': `// @service-signature/\n${MARK}`,
    'node_modules/vitest/package.json': {},
    'node_modules/vitest/vitest.mjs': "import fs from 'node:fs'\nfs.writeFileSync('marker', '')\n",
    'node_modules/jest/package.json': {},
    'node_modules/jest/bin/jest.js': MARK,
    'node_modules/.bin/git': '#!/bin/sh\ntouch marker\n',
    git: '#!/bin/sh\ntouch marker\n',
    'git.exe': '#!/bin/sh\ntouch marker\n',
  })
  for (const program of ['git', 'git.exe', 'node_modules/.bin/git'])
    chmodSync(join(project.folder, program), 0o755)
  git(project.folder, 'init', '-q')
  git(project.folder, 'config', 'core.fsmonitor', 'touch marker; false')
  return project
}

const COMMANDS = {
  vitest: 'node node_modules/vitest/vitest.mjs run webhooks.test.js',
  jest: 'node --experimental-vm-modules node_modules/jest/bin/jest.js --runTestsByPath webhooks.test.js',
  node: 'node --test webhooks.test.mjs',
}

describe.each(['vitest', 'jest', 'node'] as const)('code of a project with %s', (runner) => {
  it('does not run without a terminal, and the command to run is printed', async () => {
    const project = markingProject(runner)
    const { code, stdout } = await run(['init', project.folder], { env })
    expect(code).toBe(0)
    expect(stdout).toContain(`To do: Run the test:\n    ${COMMANDS[runner]}\n`)
    expect(stdout).not.toContain('answered')
    expect((await runJson(['init', project.folder], { env })).json).toMatchObject({ answers: null })
    expect(project.has('marker')).toBe(false)
  })

  it('does not run if the answer is no', async () => {
    const project = markingProject(runner)
    const { stdout } = await run(['init', project.folder], { ...PERSON, stdin: 'n\n' })
    expect(stdout).toContain(`Run ${COMMANDS[runner]}? [y/N] `)
    expect(project.has('marker')).toBe(false)
  })

  it.each([
    ['--yes', ['--yes'], { env }],
    ['the answer yes', [], { ...PERSON, stdin: 'y\n' }],
  ])(
    'runs after %s, and a success that sent nothing is reported as a test that did not run',
    async (...[, options, world]) => {
      const project = markingProject(runner)
      const { code, stdout, stderr } = await run(['init', project.folder, ...options], world)
      expect(code).toBe(1)
      expect(stdout).not.toContain('answered')
      expect(stderr).toContain('error: The test did not run: no event was sent by ')
      expect(project.has('marker')).toBe(true)
    },
  )

  it('does not run with --dry-run, whatever else is asked for', async () => {
    const project = markingProject(runner)
    const { code } = await run(['init', project.folder, '--dry-run', '--yes', '--install'], { env })
    expect(code).toBe(0)
    expect(project.has('marker')).toBe(false)
  })
})

const NOT_WRITTEN = 'Set WEBHOOK_SECRET. It was not written, because it is not known whether git ignores .env'

describe('git', () => {
  it('is not taken from the project, and runs no program that its configuration names', async () => {
    const project = markingProject('node')
    git(project.folder, '-c', 'core.fsmonitor=false', 'add', '.gitignore')
    const bin = join(project.folder, 'node_modules/.bin')
    const path = ['', '.', 'node_modules/.bin', project.folder, bin, PATH].join(delimiter)
    const { stdout } = await run(['init', project.folder], { env: { PATH: path } })
    expect(stdout).toContain('  create .env: ')
    expect(project.has('marker')).toBe(false)
  })

  it('fetches no object that a partial clone lacks with a command of its configuration', async () => {
    const project = new TestProject({ 'package.json': {}, 'remote/a': '' })
    git(project.folder, 'init', '-q')
    for (const [name, value] of [
      ['core.repositoryformatversion', '1'],
      ['extensions.partialClone', 'origin'],
      ['remote.origin.promisor', 'true'],
      ['remote.origin.url', `file://${project.folder}/remote`],
      ['remote.origin.uploadpack', `touch ${project.folder}/marker; false`],
    ] as const)
      git(project.folder, 'config', name, value)
    const blob = '1234567890123456789012345678901234567890'
    git(project.folder, 'update-index', '--add', '--info-only', '--cacheinfo', `100644,${blob},.gitignore`)
    git(project.folder, 'update-index', '--skip-worktree', '.gitignore')
    expect((await run(['init', project.folder], { env })).code).toBe(0)
    expect(project.has('marker')).toBe(false)
    // Git itself would.
    rmSync(join(project.folder, '.gitignore'))
    expect(() => git(project.folder, 'check-ignore', '.env')).toThrow()
    expect(project.has('marker')).toBe(true)
  })

  it('that only the project has is not run, and no secret is written', async () => {
    const project = markingProject('node')
    const { stdout } = await run(['init', project.folder], {
      env: { PATH: `.${delimiter}${project.folder}` },
    })
    expect(stdout).toContain(`To do: ${NOT_WRITTEN}: git is not in PATH\n`)
    expect(project.has('marker')).toBe(false)
    expect(project.has('.env')).toBe(false)
  })

  /** A project in a repository that has its .env, and a git that runs this line instead. */
  function projectWithGit(line: string) {
    const outer = new TestProject({
      'bin/git': `#!/bin/sh\n${line}\n`,
      'shop/package.json': { dependencies: { express: '5' } },
      'shop/.env': 'PORT=3000\n',
    })
    chmodSync(join(outer.folder, 'bin/git'), 0o755)
    git(outer.folder, 'init', '-q')
    git(outer.folder, 'add', 'shop/.env')
    const path = { env: { PATH: join(outer.folder, 'bin') } }
    return { outer, shop: join(outer.folder, 'shop'), path }
  }

  it('that refuses to answer gets no secret, and its reason is printed', async () => {
    const { outer, shop, path } = projectWithGit(
      `echo "fatal: detected dubious ownership\nTo add an exception" >&2; exit 128`,
    )
    const { code, stdout } = await run(['init', shop, '--yes'], path)
    expect(code).toBe(0)
    expect(stdout).toContain(`To do: ${NOT_WRITTEN}: fatal: detected dubious ownership\n`)
    expect(outer.read('shop/.env')).toBe('PORT=3000\n')
  })

  it('that hangs is ended after the time limit, and gets no secret', () => {
    const { shop, path } = projectWithGit('exec sleep 300')
    expect(openGit({ PATH: `${path.env.PATH}${delimiter}${PATH}` }, shop, 100)('.env')).toEqual({
      unknown: expect.stringContaining('ETIMEDOUT') as string,
    })
  })

  it('does not look into another repository that the environment names, as in a hook', async () => {
    const { outer, shop } = projectWithGit('')
    const { folder } = new TestProject({})
    git(folder, 'init', '-q')
    const hook = { GIT_DIR: join(folder, '.git'), GIT_WORK_TREE: folder }
    const { stdout } = await run(['init', shop, '--yes'], { env: { ...env, ...hook } })
    expect(stdout).toContain('To do: Set WEBHOOK_SECRET. It was not written, because git tracks .env\n')
    expect(outer.read('shop/.env')).toBe('PORT=3000\n')
  })

  it.each([
    ['.env*\n!.env\n', '.env*\n!.env\n.env\n'],
    ['.env\n!*\n', '.env\n!*\n.env\n'],
    ['!.env\r\n/.env\r\n!.env.example\r\n', '!.env\r\n/.env\r\n!.env.example\r\n'],
  ])('in a folder that is not a repository is expected to read the lines %j', async (before, after) => {
    const project = new TestProject({ 'package.json': {}, '.gitignore': before })
    await run(['init', project.folder, '--yes'])
    expect(project.read('.env')).toMatch(/^WEBHOOK_SECRET=/)
    expect(project.read('.gitignore')).toBe(after)
  })

  it('does not run with --dry-run, and the plan says that git was not asked', async () => {
    const { outer: project, shop, path } = projectWithGit('> ${0%git}marker')
    const { code, stdout } = await run(['init', shop, '--dry-run'], path)
    expect(code).toBe(0)
    expect(stdout).toContain(
      '  change .env: WEBHOOK_SECRET, a random one for this machine (only if git does not track the file; a dry run does not ask git)\n',
    )
    expect(stdout).not.toContain('.gitignore')
    expect(project.has('bin/marker')).toBe(false)
    // It is the one that runs otherwise.
    await run(['init', shop], path)
    expect(project.has('bin/marker')).toBe(true)
  })
})

describe('a symbolic link', () => {
  /** A project in a folder next to another, which no command may change. */
  function projectWithLink(link: string, target: string) {
    const outer = new TestProject({
      'home/.profile': 'export A=1\n',
      'home/app/page.js': '',
      'shop/package.json': { dependencies: { next: '16' } },
    })
    symlinkSync(target, join(outer.folder, 'shop', link))
    return { outer, shop: join(outer.folder, 'shop') }
  }
  const files = (folder: string) => readdirSync(folder, { recursive: true }).sort()

  it.each([
    ['app', '../home/app', 'out of the project'],
    ['.gitignore', '../home/.profile', 'out of the project'],
    ['.env', '../home/.profile', 'out of the project'],
    ['.env.example', '../home/.profile', 'out of the project'],
    ['.env', '../home/.missing', 'which does not exist'],
    ['.env', '.missing', 'which does not exist'],
  ])('%s -> %s is reported, and nothing is written', async (link, target, reason) => {
    const { outer, shop } = projectWithLink(link, target)
    const before = files(outer.folder)
    const { code, stdout, stderr } = await run(['init', shop, '--yes'], { env })
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toBe(
      `error: ${link} is a symbolic link to ${target}, ${reason}. Replace the link; nothing was written.\n`,
    )
    expect(files(outer.folder)).toEqual(before)
    expect(outer.read('home/.profile')).toBe('export A=1\n')
    expect(readlinkSync(join(shop, link))).toBe(target)
  })

  it('in the place of package.json is reported, too', async () => {
    const { outer, shop } = projectWithLink('.env', '.missing')
    rmSync(join(shop, 'package.json'))
    symlinkSync('../home/package.json', join(shop, 'package.json'))
    outer.write('home/package.json', {})
    const { code, stderr } = await run(['init', shop, '--yes'], { env })
    expect(code).toBe(2)
    expect(stderr).toContain(
      'error: package.json is a symbolic link to ../home/package.json, out of the project.',
    )
    expect(outer.read('home/package.json')).toBe('{}')
  })

  it('within the project is followed', async () => {
    const { outer, shop } = projectWithLink('.env', 'local.env')
    outer.write('shop/local.env', 'A=1\n')
    outer.write('shop/.gitignore', '.env*\n')
    expect((await run(['init', shop, '--yes'])).code).toBe(0)
    expect(outer.read('shop/local.env')).toMatch(/^A=1\nWEBHOOK_SECRET=/)
  })

  it('to a file that git tracks gets no secret, and one that git does not ignore is ignored', async () => {
    const { outer, shop } = projectWithLink('.env', 'local.env')
    outer.write('shop/local.env', 'A=1\n')
    outer.write('shop/.gitignore', '.env\n')
    git(shop, 'init', '-q')
    git(shop, 'add', 'local.env')
    await run(['init', shop, '--yes'], { env })
    expect(outer.read('shop/local.env')).toBe('A=1\n')
    git(shop, 'rm', '-q', '--cached', 'local.env')
    await run(['init', shop, '--yes'], { env })
    expect(outer.read('shop/local.env')).toMatch(/^A=1\nWEBHOOK_SECRET=/)
    expect(outer.read('shop/.gitignore')).toBe('.env\nlocal.env\n')
  })

  it('to the folder of the project is followed', async () => {
    const { outer, shop } = projectWithLink('.env', 'local.env')
    outer.write('shop/local.env', '')
    symlinkSync(shop, join(outer.folder, 'link'))
    expect((await run(['init', join(outer.folder, 'link')])).code).toBe(0)
    expect(outer.has('shop/app/webhooks/route.js')).toBe(true)
  })
})

it.each([
  ['.env', '.env/file'],
  ['app', 'app'],
])('reports that %s has another kind than needed before it writes anything', async (path, file) => {
  const project = new TestProject({ 'package.json': { dependencies: { next: '16' } }, [file]: '' })
  const { code, stderr } = await run(['init', project.folder, '--yes'])
  expect(code).toBe(2)
  expect(stderr).toContain(`error: Cannot read ${path}`)
  expect(readdirSync(project.folder).sort()).toEqual([path, 'package.json'])
})

it.each([
  ['package.json', {}],
  ['.env', {}],
  ['.env.example', {}],
  ['.gitignore', {}],
  ['tsconfig.json', {}],
  ['webhooks.js', {}],
  ['webhooks.test.mjs', {}],
])('does not wait for the writer of a pipe in the place of %s', async (path) => {
  const project = new TestProject({ 'package.json': { dependencies: { express: '5' } } })
  rmSync(join(project.folder, path), { force: true })
  execFileSync('mkfifo', [join(project.folder, path)])
  const { code, stderr } = await run(['init', project.folder, '--yes'])
  expect(code).toBe(2)
  expect(stderr).toBe(`error: Cannot read ${path}: it is not a regular file\n`)
  expect(readdirSync(project.folder).sort()).toEqual([...new Set([path, 'package.json'])].sort())
})

it('refuses a file of more than 1 MiB, and skips such a source', async () => {
  const project = new TestProject({
    'package.json': { dependencies: { express: '5' } },
    'large.js': `const app = express()\n${' '.repeat(1024 * 1024)}`,
    'server.js': 'const app = express()\n',
  })
  expect((await run(['init', project.folder, '--dry-run'])).stdout).toContain('  change server.js: ')
  project.write('.env', ' '.repeat(1024 * 1024 + 1))
  const { code, stderr } = await run(['init', project.folder, '--yes'])
  expect(code).toBe(2)
  expect(stderr).toBe('error: Cannot read .env: it has more than 1 MiB\n')
})

it('skips folders and sources that this user cannot read', async () => {
  const server = 'const app = express()\n'
  const project = new TestProject({
    'package.json': { dependencies: { express: '5' } },
    'data/server.js': server,
    'other.js': server,
    'server.js': server,
  })
  const { code, stdout } = await asBoundUser(project.folder, () => {
    for (const path of ['data', 'other.js']) chmodSync(join(project.folder, path), 0)
    return run(['init', project.folder, '--dry-run'])
  })
  chmodSync(join(project.folder, 'data'), 0o700)
  expect(code).toBe(0)
  expect(stdout).toContain('  change server.js: ')
})

it.each(['.gitignore', 'package.json'])('writes nothing if %s cannot be written', async (path) => {
  const project = new TestProject({ 'package.json': { dependencies: { express: '5' } }, '.gitignore': '' })
  const { code, stdout, stderr } = await asBoundUser(project.folder, () => {
    chmodSync(join(project.folder, path), 0o400)
    return run(['init', project.folder, '--yes'])
  })
  expect(code).toBe(2)
  expect(stdout).toContain('\nNothing was changed.\n')
  expect(stderr).toMatch(/^error: Cannot write \S+: EACCES: .*; nothing was written\n$/)
  expect(readdirSync(project.folder).sort()).toEqual(['.gitignore', 'package.json'])
})

it('reports a file that appears before it is written, and does not replace it', async () => {
  const project = new TestProject({ 'package.json': { dependencies: { express: '5' } } })
  const io = new FakeIo({ isTerminal: true })
  const answers = function* () {
    project.write('webhooks.js', 'mine')
    yield Buffer.from('n\n')
  }
  const stdin = Object.assign(Readable.from(answers()), { isTTY: true })
  expect(await main(['init', project.folder], Object.assign(io, { stdin }))).toBe(2)
  expect(io.errors).toMatch(/^error: Cannot write webhooks\.js: EEXIST/)
  expect(project.read('webhooks.js')).toBe('mine')
})

describe('the output', () => {
  // A title of the window, the clipboard, a line of its own, and the other direction.
  const BAD = '\u001b]0;pwned\u0007\u001b]52;c;ZXZpbA==\u0007\r\nFAKE: signature is valid\u202e'

  it.each([['--dry-run'], ['--yes'], ['--json']])(
    'with %s has nothing of the project that commands a terminal',
    async (option) => {
      const project = new TestProject({
        'package.json': { scripts: { start: `node s${BAD}.js` }, dependencies: { koa: '1' } },
        [`lib/a${BAD.replace('/', '')}.js`]: 'const app = new Koa()\n',
      })
      const { code, stdout } = await run(['init', project.folder, option], { env })
      expect(code).toBe(0)
      expect(stdout).not.toMatch(/[^\P{Cc}\n]|[\p{Cf}\p{Zl}\p{Zp}]/u)
      expect(stdout).not.toMatch(/^FAKE/m)
    },
  )

  it('has nothing of it in a question', async () => {
    const project = new TestProject({
      'package.json': { dependencies: { koa: '1' } },
      [`lib/a${BAD}.js`]: 'const app = new Koa()\n',
    })
    const { stdout } = await run(['init', project.folder], { ...PERSON, stdin: 'n\nn\nn\n' })
    expect(stdout).toContain('Change lib/a')
    expect(stdout).not.toMatch(/[^\P{Cc}\n]|[\p{Cf}\p{Zl}\p{Zp}]/u)
    expect(stdout).not.toMatch(/^FAKE/m)
  })

  it('has nothing of it in an error', async () => {
    const project = new TestProject({ 'package.json': `${BAD}{` })
    const { code, stderr } = await run(['init', project.folder])
    expect(code).toBe(2)
    expect(stderr).not.toMatch(/^FAKE/m)
  })
})

it.each([
  ['null', 'package.json must be a JSON object'],
  ['[]', 'package.json must be a JSON object'],
  ['"x"', 'package.json must be a JSON object'],
  ['{"scripts": null}', 'The "scripts" of package.json must be an object'],
  ['{"scripts": ["a"]}', 'The "scripts" of package.json must be an object'],
])('refuses the manifest %s, and writes nothing', async (manifest, message) => {
  const project = new TestProject({ 'package.json': manifest })
  const { code, stderr } = await run(['init', project.folder, '--yes'])
  expect({ code, stderr }).toEqual({ code: 2, stderr: `error: ${message}\n` })
  expect(readdirSync(project.folder)).toEqual(['package.json'])
})

it.each([['{"dependencies": null, "devDependencies": "a"}'], ['{"scripts": {"start": 1, "test": {}}}']])(
  'takes the manifest %s for one that says nothing',
  async (manifest) => {
    const project = new TestProject({ 'package.json': manifest })
    expect((await run(['init', project.folder])).code).toBe(0)
  },
)

describe('the secret', () => {
  const mode = (project: TestProject) => statSync(join(project.folder, '.env')).mode & 0o777

  it('is in a file that only its owner can read', async () => {
    const project = new TestProject({ 'package.json': { dependencies: { express: '5' } } })
    await run(['init', project.folder])
    expect(mode(project)).toBe(0o600)
  })

  it('in a file that others can read is noted once, and the file stays as it is', async () => {
    const project = new TestProject({
      'package.json': { dependencies: { express: '5' } },
      '.env': 'WEBHOOK_SECRET=a\n',
    })
    chmodSync(join(project.folder, '.env'), 0o640)
    const { stdout } = await run(['init', project.folder, '--yes'])
    expect(stdout.match(/.*ther users.*/g)).toEqual([
      'To do: Other users of this machine can read .env. To change that:',
    ])
    expect(stdout).toContain('To change that:\n    chmod 600 .env\n')
    expect(mode(project)).toBe(0o640)
    chmodSync(join(project.folder, '.env'), 0o600)
    expect((await run(['init', project.folder, '--yes'])).stdout).not.toContain('ther users')
  })

  it.each([
    [
      'a line of a longer value',
      'A="1\nWEBHOOK_SECRET=\n"\n',
      /^A="1\nWEBHOOK_SECRET=\n"\nWEBHOOK_SECRET=[0-9a-f]{48}\n$/,
    ],
    ['the line ends of Windows', 'A=1\r\nB=2', /^A=1\r\nB=2\r\nWEBHOOK_SECRET=[0-9a-f]{48}\r\n$/],
    [
      'its place and the line ends of Windows',
      'WEBHOOK_SECRET=\r\nB=2\r\n',
      /^WEBHOOK_SECRET=[0-9a-f]{48}\r\nB=2\r\n$/,
    ],
  ])('is in a file with %s as it must be', async (_, before, after) => {
    const project = new TestProject({ 'package.json': {}, '.env': before, '.gitignore': 'dist\r\n' })
    await run(['init', project.folder, '--yes'])
    expect(project.read('.env')).toMatch(after)
    expect(project.read('.gitignore')).toBe('dist\r\n.env\r\n')
    expect((await run(['init', project.folder])).stdout).toContain('  keep .env: has WEBHOOK_SECRET\n')
  })

  it.each([
    ['WEBHOOK_SECRET=', /^A=1\nWEBHOOK_SECRET=[0-9a-f]{48}\nB=2\n$/],
    ["export WEBHOOK_SECRET='' # fill in", /^A=1\nexport WEBHOOK_SECRET=[0-9a-f]{48}\nB=2\n$/],
  ])('is filled in where the line is %s', async (line, expected) => {
    const project = new TestProject({
      'package.json': { dependencies: { express: '5' } },
      '.env': `A=1\n${line}\nB=2\n`,
      '.gitignore': '.env\n',
    })
    const { stdout } = await run(['init', project.folder, '--yes'])
    expect(stdout).toContain('  change .env: WEBHOOK_SECRET, a random one')
    expect(readFileSync(join(project.folder, '.env'), 'utf8')).toMatch(expected)
    expect((await run(['init', project.folder, '--yes'])).stdout).toContain(
      '  keep .env: has WEBHOOK_SECRET\n',
    )
  })
})
