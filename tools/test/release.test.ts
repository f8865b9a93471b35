import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { metadataFaults, readPackages } from '../release/metadata.js'

const root = fileURLToPath(new URL('../../', import.meta.url))
/** Not written as one word: the command that replaces the placeholder everywhere must leave this one. */
const PLACEHOLDER = ['your', 'org'].join('-')
let copy: string

beforeEach(() => {
  copy = mkdtempSync(join(tmpdir(), 'service-signature-release-'))
  for (const file of ['CHANGELOG.md', 'LICENSE']) cpSync(join(root, file), join(copy, file))
  for (const name of readdirSync(join(root, 'packages'))) {
    for (const file of readdirSync(join(root, 'packages', name)).filter((file) =>
      /^(?:LICENSE|package\.json)$/.test(file),
    ))
      cpSync(join(root, 'packages', name, file), join(copy, 'packages', name, file))
  }
})

afterEach(() => {
  rmSync(copy, { recursive: true })
})

function edit(file: string, change: (text: string) => string) {
  const path = join(copy, file)
  const text = readFileSync(path, 'utf8')
  expect(change(text)).not.toBe(text)
  writeFileSync(path, change(text))
}

it('finds no fault in the packages of this repository', () => {
  expect(metadataFaults(root)).toEqual([])
})

it.each([
  ['repository', '@service-signature/koa: "repository" is missing. Set it to {"type":"git",'],
  ['bugs', '@service-signature/koa: "bugs" is missing. Set it to {"url":'],
  ['homepage', '@service-signature/koa: "homepage" is missing. Set it to "https://github.com/'],
  ['author', '@service-signature/koa: "author" is missing. Set it to "The Service Signature authors".'],
  ['keywords', '@service-signature/koa: "keywords" is missing. Add it to package.json.'],
])('names the package that lacks %s, and the fix', (field, fault) => {
  edit('packages/koa/package.json', (text) => text.replace(`"${field}": `, `"x-${field}": `))
  expect(metadataFaults(copy)).toEqual([expect.stringContaining(fault)])
})

it('names a package whose repository.directory is that of another package', () => {
  edit('packages/koa/package.json', (text) => text.replace('"packages/koa"', '"packages/express"'))
  expect(metadataFaults(copy)).toEqual([
    expect.stringMatching(/^@service-signature\/koa: "repository" differs/),
  ])
})

it('names a package whose version differs from that of core', () => {
  edit('packages/hapi/package.json', (text) => text.replace(/"version": ".*?"/, '"version": "7.8.9"'))
  expect(metadataFaults(copy)).toEqual([
    expect.stringMatching(/^@service-signature\/hapi: "version" is 7\.8\.9, but core has .*Set it to "/),
  ])
})

it.each(['^0.1.0', '*'])('names a dependency on another package of the release that is %s', (range) => {
  edit('packages/redis/package.json', (text) =>
    text.replace(/("@service-signature\/core": )".*?"/, `$1"${range}"`),
  )
  const fault = `@service-signature/redis: "dependencies.@service-signature/core" is ${range}, `
  expect(metadataFaults(copy)).toEqual([expect.stringContaining(fault)])
})

it('names a package without the license text', () => {
  rmSync(join(copy, 'packages/fetch/LICENSE'))
  expect(metadataFaults(copy)).toEqual([
    expect.stringMatching(/^@service-signature\/fetch: LICENSE is missing/),
  ])
})

it.each(['/docs/missing.md', './missing.md'])('names a README whose link %s does not work on npm', (link) => {
  writeFileSync(join(copy, 'packages/fetch/README.md'), `[page](${link}#part), [site](https://example.com)`)
  expect(metadataFaults(copy)).toEqual([
    expect.stringContaining(`@service-signature/fetch: README.md links to ${link}.`),
  ])
})

it('asks for a section in the changelog', () => {
  edit('CHANGELOG.md', () => '# Changelog\n\n## Unreleased\n')
  expect(metadataFaults(copy)).toEqual([
    expect.stringMatching(/^CHANGELOG.md has no section for the version/),
  ])
})

it('compares a release with its tag and the repository that publishes it', () => {
  const faults = metadataFaults(copy, { tag: 'v7.8.9', repository: 'someone/else' })
  expect(faults).toContainEqual(expect.stringMatching(/^The tag is v7\.8\.9, the version is /))
  expect(faults).toContainEqual(
    expect.stringMatching(/koa: "repository" differs. .*"git\+https:\/\/github\.com\/someone\/else\.git"/),
  )
})

it('refuses to release packages whose repository has the placeholder as its owner', () => {
  const { version } = JSON.parse(readFileSync(join(copy, 'packages/core/package.json'), 'utf8')) as {
    version: string
  }
  for (const { folder } of readPackages(copy)) {
    const path = join(copy, folder, 'package.json')
    writeFileSync(
      path,
      readFileSync(path, 'utf8').replaceAll(/github\.com\/[\w-]+/g, `github.com/${PLACEHOLDER}`),
    )
  }
  const fault = `The owner of the repository is the placeholder "${PLACEHOLDER}". Replace it, as CONTRIBUTING.md says.`
  expect(metadataFaults(copy)).toEqual([])
  expect(metadataFaults(copy, { tag: `v${version}` })).toEqual([fault])
  const repository = `${PLACEHOLDER}/service-signature`
  expect(metadataFaults(copy, { tag: `v${version}`, repository })).toEqual([fault])
})
