import { execFileSync, spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { importFaults, metadataFaults, readPackages } from '../release/metadata.js'
import { makePlaceholders } from '../release/placeholders.js'
import { raiseVersion } from '../release/version.js'

const root = fileURLToPath(new URL('../../', import.meta.url))
/** Not written as one word: the command that replaces the placeholder everywhere must leave this one. */
const PLACEHOLDER = ['your', 'org'].join('-')
const folders = readPackages(root).map(({ folder }) => folder)
const licenses = ['.', ...folders]
  .map((folder) => `${folder}/LICENSE`)
  .filter((file) => existsSync(join(root, file)))
/** As `npm run check` calls it: until it is replaced, the owner is the placeholder. */
const CHECKED = { 'placeholder-owner': true }
let copy: string

/** A copy of the manifests as of version 1.2.3, after which a change was described. */
beforeEach(() => {
  copy = mkdtempSync(join(tmpdir(), 'service-signature-release-'))
  const manifests = folders.map((folder) => `${folder}/package.json`)
  const versioned = ['package-lock.json', 'packages/hapi/src/index.ts', ...manifests]
  for (const file of [...versioned, ...licenses]) cpSync(join(root, file), join(copy, file))
  const version = readPackages(root)[0]!.manifest.version
  const own = new RegExp(
    `((?:"version"|version|"@service-signature/[\\w-]+"): )(["'])(\\^?)${version}\\2`,
    'g',
  )
  for (const file of versioned) edit(file, (text) => text.replace(own, '$1$2$31.2.3$2'))
  writeFileSync(join(copy, 'CHANGELOG.md'), '# Changelog\n\n## Unreleased\n\n- A.\n\n## 1.2.3\n\n- B.\n')
})

afterEach(() => {
  rmSync(copy, { recursive: true })
})

function text(file: string) {
  return readFileSync(join(copy, file), 'utf8')
}

function edit(file: string, change: (text: string) => string) {
  writeFileSync(join(copy, file), change(text(file)))
}

function manifest(name: string) {
  return JSON.parse(text(`packages/${name}/package.json`)) as Record<string, Record<string, string>>
}

describe('metadataFaults', () => {
  it('finds no fault in the packages of this repository, nor in their copy', () => {
    expect(metadataFaults(root, CHECKED)).toEqual([])
    expect(metadataFaults(copy, CHECKED)).toEqual([])
  })

  it.each([
    [/"repository": /, '"x": ', 'set "repository" to {"type":"git",'],
    [/"bugs": /, '"x": ', 'set "bugs" to {"url":'],
    [/"homepage": /, '"x": ', 'set "homepage" to "https://github.com/'],
    [/"author": /, '"x": ', 'set "author" to "The Service Signature authors".'],
    [/"keywords": /, '"x": ', 'add "keywords" to package.json.'],
    [/"directory": ".*"/, '"directory": "packages/express"', 'set "repository" to {"type":"git",'],
    [/"version": ".*"/, '"version": "7.8.9"', 'set "version" to "1.2.3".'],
    [/("@service-signature\/core": )".*"/, '$1"1.2.3"', 'set "peerDependencies" to {'],
    [/("@service-signature\/core": )".*"/, '$1"*"', 'set "peerDependencies" to {'],
  ])('names the fix where %s became %s', (pattern, replacement, fix) => {
    edit('packages/koa/package.json', (text) => text.replace(pattern, replacement))
    expect(metadataFaults(copy, CHECKED)).toEqual([expect.stringContaining(`packages/koa: ${fix}`)])
  })

  it('asks for exactly the version of a package that depends on core for itself', () => {
    edit('packages/audit/package.json', (text) => text.replace('"@service-signature/core": "', '$&^'))
    expect(metadataFaults(copy, CHECKED)).toEqual([
      'packages/audit: set "dependencies" to {"@service-signature/core":"1.2.3"}.',
    ])
  })

  it('names a package without the license text', () => {
    rmSync(join(copy, 'packages/fetch/LICENSE'))
    expect(metadataFaults(copy, CHECKED)).toEqual([
      expect.stringMatching(/^packages\/fetch: LICENSE is missing/),
    ])
  })

  it('asks for a section in the changelog', () => {
    edit('CHANGELOG.md', () => '# Changelog\n\n## Unreleased\n')
    expect(metadataFaults(copy, CHECKED)).toEqual([expect.stringMatching(/^CHANGELOG.md has no section/)])
  })

  it('compares a release with its tag and the repository that publishes it', () => {
    const faults = metadataFaults(copy, { tag: 'v7.8.9', repository: 'someone/else' })
    expect(faults).toContain('The tag is v7.8.9, the version is 1.2.3. Tag the commit as v1.2.3.')
    expect(faults).toContainEqual(
      expect.stringMatching(/koa: set "repository" to .*"git\+https:\/\/github\.com\/someone\/else\.git"/),
    )
  })

  it('refuses a placeholder as the owner of the repository, unless the packages are only checked', () => {
    const repository = `${PLACEHOLDER}/service-signature`
    const fault: unknown = expect.stringContaining(
      `The owner of the repository is the placeholder "${PLACEHOLDER}".`,
    )
    expect(metadataFaults(copy, { repository })).toContainEqual(fault)
    expect(metadataFaults(copy, { tag: 'v1.2.3', repository })).toContainEqual(fault)
    expect(metadataFaults(copy, { repository, ...CHECKED })).not.toContainEqual(fault)
  })
})

describe('raiseVersion', () => {
  it.each([
    ['1.2.3', 'patch', '1.2.4'],
    ['1.2.3', 'minor', '1.3.0'],
    ['1.2.3', 'major', '2.0.0'],
    ['0.1.0', 'minor', '0.2.0'],
  ])('raises %s by a %s to %s', (before, bump, after) => {
    edit('packages/core/package.json', (text) => text.replace('1.2.3', before))
    expect(raiseVersion(copy, bump)).toEqual({ before, after })
  })

  it('raises every package, and what they require of each other', () => {
    raiseVersion(copy, 'minor')
    for (const { manifest } of readPackages(copy)) expect(manifest.version).toBe('1.3.0')
    expect(manifest('cli')['dependencies']).toMatchObject({ '@service-signature/core': '1.3.0' })
    expect(manifest('express')['peerDependencies']).toMatchObject({ '@service-signature/core': '^1.3.0' })
    expect(manifest('express')['devDependencies']).toMatchObject({ '@service-signature/contract': '*' })
    expect(text('packages/hapi/src/index.ts')).toContain("version: '1.3.0'")
    expect(text('CHANGELOG.md')).toBe('# Changelog\n\n## 1.3.0\n\n- A.\n\n## 1.2.3\n\n- B.\n')
    expect(metadataFaults(copy, CHECKED)).toEqual([])
  })

  it('raises the packages of the workspace in the lock file, and nothing else there', () => {
    const others = (lock: string) =>
      lock.split('\n').filter((line) => !/: "\^?1\.[23]\.[03]"/.test(line) || line.includes('resolved'))
    const before = text('package-lock.json')
    raiseVersion(copy, 'minor')
    const after = text('package-lock.json')
    expect(others(after)).toEqual(others(before))
    expect(after).not.toMatch(/service-signature\/[\w-]+": "\^?1\.2\.3"/)
    const { packages } = JSON.parse(after) as { packages: Record<string, { version: string }> }
    expect(packages['packages/cli']!.version).toBe('1.3.0')
  })

  it('changes nothing if the changelog describes no change', () => {
    edit('CHANGELOG.md', () => '# Changelog\n\n## 1.2.3\n\n- B.\n')
    expect(() => raiseVersion(copy, 'minor')).toThrow('CHANGELOG.md has no "## Unreleased"')
    expect(manifest('core')['version']).toBe('1.2.3')
  })

  it.each(['', 'prerelease', '1.3.0'])('refuses to raise by "%s"', (bump) => {
    expect(() => raiseVersion(copy, bump)).toThrow(`expected patch, minor or major, got "${bump}"`)
  })
})

describe('makePlaceholders', () => {
  it('packs an empty 0.0.0 of each published package, and returns how to publish, trust and deprecate it', async () => {
    const out = join(copy, 'placeholders')
    const lines = await makePlaceholders(copy, out)
    const published = readPackages(root).flatMap(({ manifest }) =>
      manifest.private === true ? [] : [manifest.name],
    )
    const tarballs = readdirSync(out).filter((name) => name.endsWith('.tgz'))
    expect(tarballs).toHaveLength(published.length)
    const read = ['-xzOf', join(out, 'service-signature-core-0.0.0.tgz')]
    expect(execFileSync('tar', ['-tzf', read[1]!], { encoding: 'utf8' })).toBe('package/package.json\n')
    expect(
      JSON.parse(execFileSync('tar', [...read, 'package/package.json'], { encoding: 'utf8' })),
    ).toMatchObject({
      name: '@service-signature/core',
      version: '0.0.0',
      repository: { directory: 'packages/core' },
    })
    // Of this repository, whose owner is the placeholder at first.
    const [, repository] = /github\.com\/(.+)\.git/.exec(readPackages(root)[0]!.manifest.repository!.url)!
    const trust = `--file release.yml --repository ${repository} --environment npm --allow-publish --yes`
    for (const name of published) {
      expect(lines).toContain(`npm trust github ${name} ${trust}`)
      expect(lines).toContain(`npm deprecate ${name}@0.0.0 "Empty. Use a later version."`)
    }
    expect(lines.filter((line) => /^npm publish \S+-0\.0\.0\.tgz --access public$/.test(line))).toHaveLength(
      published.length,
    )
  })
})

describe('importFaults', () => {
  it('names a file that imports a package which is neither a dependency nor a peer', () => {
    const source =
      "import { a } from 'router/deep'\nimport fs from 'node:fs'\nconst b = require('hidden')\nimport('koa')\nimport './c.mjs'\nconst d = `import { d } from 'text'`\n"
    writeFileSync(join(copy, 'index.mjs'), source)
    const own = { name: '@own/page', version: '1.2.3' }
    const manifest = { ...own, dependencies: { router: '^2.0.0' }, peerDependencies: { koa: '^3.0.0' } }
    expect(importFaults(copy, manifest, ['index.mjs', 'README.md'])).toEqual([
      '@own/page: index.mjs imports hidden. Add it to "dependencies".',
    ])
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
    for (const machine of ['first', 'second']) mkdirSync(join(copy, machine))
    for (const [file, text] of Object.entries(built)) writeFileSync(join(copy, file), text)
    expect(spawnSync(gate, { shell: true, cwd: copy }).status).toBe(status)
  })
})
