import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { metadataFaults } from '../release/metadata.js'
import { raiseVersion } from '../release/version.js'

const root = fileURLToPath(new URL('../../', import.meta.url))
let copy: string

beforeEach(() => {
  copy = mkdtempSync(join(tmpdir(), 'service-signature-version-'))
  mkdirSync(join(copy, 'packages/hapi/src'), { recursive: true })
  for (const file of ['LICENSE', 'package-lock.json', 'packages/hapi/src/index.ts'])
    cpSync(join(root, file), join(copy, file))
  for (const name of readdirSync(join(root, 'packages')))
    for (const file of readdirSync(join(root, 'packages', name)))
      if (file === 'package.json' || file === 'LICENSE')
        cpSync(join(root, 'packages', name, file), join(copy, 'packages', name, file))
  startAt('1.2.3')
})

afterEach(() => {
  rmSync(copy, { recursive: true })
})

/** The workspace, as if `version` had been released and a change described since. */
function startAt(version: string) {
  const all = readdirSync(join(copy, 'packages')).map((name) => `packages/${name}/package.json`)
  for (const file of ['package-lock.json', 'packages/hapi/src/index.ts', ...all])
    write(
      file,
      text(file).replace(
        /((?:"version"|version|"@service-signature\/[\w-]+"): )(["'])\d+\.\d+\.\d+\2/g,
        `$1$2${version}$2`,
      ),
    )
  write('CHANGELOG.md', `# Changelog\n\n## Unreleased\n\n- A change.\n\n## ${version}\n\n- The release.\n`)
}

function text(file: string) {
  return readFileSync(join(copy, file), 'utf8')
}

function write(file: string, content: string) {
  writeFileSync(join(copy, file), content)
}

function manifest(name: string) {
  return JSON.parse(text(`packages/${name}/package.json`)) as Record<string, Record<string, string>>
}

it.each([
  ['patch', '1.2.4'],
  ['minor', '1.3.0'],
  ['major', '2.0.0'],
] as const)('raises 1.2.3 by a %s to %s, in every package', (bump, version) => {
  expect(raiseVersion(copy, bump)).toEqual({ before: '1.2.3', after: version })
  for (const name of readdirSync(join(copy, 'packages'))) expect(manifest(name)['version']).toBe(version)
})

it.each([
  ['patch', '0.1.1'],
  ['minor', '0.2.0'],
  ['major', '1.0.0'],
] as const)('raises 0.1.0 by a %s to %s', (bump, version) => {
  startAt('0.1.0')
  expect(raiseVersion(copy, bump).after).toBe(version)
})

it('raises what the packages require of each other, exactly, as the peer range of the cli on the sandbox', () => {
  raiseVersion(copy, 'minor')
  expect(manifest('cli')['peerDependencies']).toEqual({ '@service-signature/sandbox': '1.3.0' })
  expect(manifest('cli')['dependencies']).toMatchObject({ '@service-signature/core': '1.3.0' })
  expect(manifest('cli')['devDependencies']).toMatchObject({ '@service-signature/sandbox': '1.3.0' })
  expect(metadataFaults(copy).filter((fault) => !fault.includes('README.md'))).toEqual([])
})

it('keeps the range of what has no version', () => {
  raiseVersion(copy, 'minor')
  expect(manifest('express')['devDependencies']).toMatchObject({ '@service-signature/contract': '*' })
  expect(manifest('sandbox')['devDependencies']).toMatchObject({ '@service-signature/playground': '*' })
})

it('raises the packages of the workspace in the lock file, and nothing else there', () => {
  const registered = (lock: string) =>
    Object.entries((JSON.parse(lock) as { packages: Record<string, object> }).packages).filter(
      ([path]) => !path.startsWith('packages/'),
    )
  const before = text('package-lock.json')
  raiseVersion(copy, 'minor')
  const after = text('package-lock.json')
  expect(registered(after)).toEqual(registered(before))
  const cli = (JSON.parse(after) as { packages: Record<string, unknown> }).packages['packages/cli']
  expect(cli).toMatchObject({
    version: '1.3.0',
    dependencies: { '@service-signature/core': '1.3.0' },
    peerDependencies: { '@service-signature/sandbox': '1.3.0' },
  })
  expect(after).not.toMatch(/service-signature\/[\w-]+": "1\.2\.3"/)
})

it('raises the version that the Hapi plugin shows', () => {
  raiseVersion(copy, 'minor')
  expect(text('packages/hapi/src/index.ts')).toContain("version: '1.3.0'")
})

it('names the changes of the changelog after the version', () => {
  raiseVersion(copy, 'minor')
  expect(text('CHANGELOG.md')).toBe('# Changelog\n\n## 1.3.0\n\n- A change.\n\n## 1.2.3\n\n- The release.\n')
})

it('changes nothing if the changelog describes no change', () => {
  write('CHANGELOG.md', '# Changelog\n\n## 1.2.3\n\n- The release.\n')
  expect(() => raiseVersion(copy, 'minor')).toThrow(
    'CHANGELOG.md has no "## Unreleased". Describe the changes there.',
  )
  expect(manifest('core')['version']).toBe('1.2.3')
})

it.each(['', 'prerelease', '1.3.0'])('refuses to raise by "%s"', (bump) => {
  expect(() => raiseVersion(copy, bump)).toThrow(`expected patch, minor or major, got "${bump}"`)
})
