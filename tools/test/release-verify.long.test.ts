import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { verifyRelease } from '../release/verify.js'

const LOG = ['log', 'error', 'table'] as const
let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'service-signature-verify-'))
  for (const method of LOG) vi.spyOn(console, method).mockImplementation(() => undefined)
})

afterEach(() => {
  vi.restoreAllMocks()
  rmSync(folder, { recursive: true })
})

function write(file: string, text: string) {
  mkdirSync(dirname(join(folder, file)), { recursive: true })
  writeFileSync(join(folder, file), text)
}

/** A repository with one package, whose release runs this code of a tool before it packs. */
function repository(postinstall: string, buildStep: string) {
  const tool = { name: 'tool', version: '1.0.0', scripts: { postinstall: 'node postinstall.cjs' } }
  const devDependencies = { tool: 'file:tool' }
  write(
    'package.json',
    JSON.stringify({
      private: true,
      scripts: { release: 'node release.cjs' },
      devDependencies,
      allowScripts: { 'file:tool': true },
    }),
  )
  write('tool/package.json', JSON.stringify(tool))
  write('tool/postinstall.cjs', postinstall)
  write(
    'package-lock.json',
    JSON.stringify({
      lockfileVersion: 3,
      packages: {
        '': { devDependencies },
        'node_modules/tool': { resolved: 'tool', link: true },
        tool: { version: '1.0.0', dev: true, hasInstallScript: true },
      },
    }),
  )
  write('product/package.json', JSON.stringify({ name: '@own/product', version: '1.2.3' }))
  write('product/dist/index.js', '// The product.\n')
  write(
    'release.cjs',
    `const { mkdirSync, writeFileSync } = require('node:fs')
const { execFileSync } = require('node:child_process')
const [, , , , out] = process.argv
${buildStep}
mkdirSync(out, { recursive: true })
execFileSync('npm', ['pack', './product', '--pack-destination', out])
writeFileSync(out + '/publish-order.txt', '@own/product 1.2.3 own-product-1.2.3.tgz\\n')
`,
  )
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd: folder })
  git('init', '--quiet')
  git('add', '.')
  git('commit', '--quiet', '--message', 'a')
  git('tag', 'v1.2.3')
}

/** What a stolen tool could do on one machine. */
const plant = (file: string) =>
  `if (/second/.test(process.cwd())) require('node:fs').appendFileSync(${file}, 'sendKeysAway()')\n`

describe('a rebuilt release', () => {
  it('is equal if both builds are', async () => {
    repository('', '')
    expect(await verifyRelease(folder, ['1.2.3', '--offline'])).toBe(0)
    const row = { package: '@own/product', 'second build': 'equal', npm: 'not asked' }
    expect(console.table).toHaveBeenCalledExactlyOnceWith([expect.objectContaining(row)])
  })

  it.each([
    ['a postinstall script', plant("__dirname + '/../product/dist/index.js'"), ''],
    ['a step of the build', '', plant("'product/dist/index.js'")],
  ])('differs if %s writes into one of the builds', async (_who, postinstall, buildStep) => {
    repository(postinstall, buildStep)
    expect(await verifyRelease(folder, ['1.2.3', '--offline'])).toBe(1)
    const row = { package: '@own/product', 'second build': 'DIFFERS' }
    expect(console.table).toHaveBeenCalledExactlyOnceWith([expect.objectContaining(row)])
  })

  it('needs the tag, or a commit', async () => {
    repository('', '')
    await expect(verifyRelease(folder, ['9.9.9'])).rejects.toThrow('There is no tag v9.9.9 here.')
    await expect(verifyRelease(folder, ['--from', 'nothing'])).rejects.toThrow('"--from" must be a commit')
    await expect(verifyRelease(folder, [])).rejects.toThrow('Usage: npm run release:verify <version>')
  })
})

describe('the release workflow', () => {
  const workflow = readFileSync(new URL('../../.github/workflows/release.yml', import.meta.url), 'utf8')
  const publish = workflow.slice(workflow.indexOf('\n  publish:'))
  const gate = /- run: (diff .+)/.exec(publish)?.[1] ?? ''

  it('compares what two machines built before it publishes', () => {
    expect(publish.indexOf(gate)).toBeLessThan(publish.indexOf('npm publish'))
    expect(workflow.match(/build: (?:first|second)/g)).toEqual(['build: first', 'build: second'])
  })

  it.each([
    ['continues if all tarballs are equal', {}, 0],
    ['stops if a tarball differs', { 'second/a.tgz': 'planted' }, 1],
    ['stops if a machine made another tarball', { 'second/b.tgz': 'planted' }, 1],
  ])('%s', (_does, planted: Record<string, string>, status) => {
    const built = { 'first/a.tgz': 'bytes', 'second/a.tgz': 'bytes', ...planted }
    for (const [file, text] of Object.entries(built)) write(file, text)
    expect(spawnSync(gate, { shell: true, cwd: folder }).status).toBe(status)
  })
})
