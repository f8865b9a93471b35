import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { sbomFaults, sbomOf } from '../release/sbom.js'

const NOTICES = 'dist/page/third-party-notices.md'
let root: string

/** A repository with a package that contains others, one of them private, and depends on one of them. */
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'service-signature-sbom-'))
  const packages = {
    '': { license: 'MIT', devDependencies: { preact: '*' } },
    'packages/page': {
      name: '@own/page',
      version: '1.2.3',
      license: 'MIT',
      dependencies: { router: '^2.0.0' },
    },
    'packages/files': { name: '@own/files', version: '1.2.3', license: 'MIT' },
    'packages/hidden': { name: '@own/hidden', version: '1.2.3', license: 'MIT' },
    'node_modules/preact': { version: '11.2.0', license: 'MIT', integrity: 'sha512-AAH/' },
    'node_modules/router': { version: '3.0.0', license: 'MIT' },
    'packages/page/node_modules/router': {
      version: '2.0.1',
      license: 'ISC',
      dependencies: { '@own/core': '*' },
    },
    'node_modules/@own/core': { resolved: 'packages/core', link: true },
    'packages/core': { name: '@own/core', version: '1.2.3', license: '(MIT OR CC0-1.0)' },
  }
  write('package-lock.json', JSON.stringify({ packages }))
  for (const [name, isPrivate] of Object.entries({ files: false, hidden: true, page: false }))
    write(`packages/${name}/package.json`, JSON.stringify({ private: isPrivate }))
  write(
    '.tsbuild/contents/packages/page/dist/index.json',
    '["packages/files","packages/hidden","packages/page"]',
  )
  write('.tsbuild/contents/packages/page/dist/page/index.json', '["node_modules/preact","packages/page"]')
})

afterEach(() => {
  rmSync(root, { recursive: true })
})

function write(file: string, text: string) {
  mkdirSync(dirname(join(root, file)), { recursive: true })
  writeFileSync(join(root, file), text)
}

function faults(files: Record<string, string>, peers = {}) {
  for (const [file, text] of Object.entries(files)) write(`packages/page/${file}`, text)
  return sbomFaults(sbomOf(root, 'packages/page'), join(root, 'packages/page'), Object.keys(files), peers)
}

const mit = [{ license: { id: 'MIT' } }]

describe('the SBOM of a package', () => {
  it('has what its files contain and what npm installs with it, in the versions of the lock file', () => {
    expect(sbomOf(root, 'packages/page')).toEqual({
      bomFormat: 'CycloneDX',
      specVersion: '1.6',
      version: 1,
      metadata: {
        component: {
          type: 'library',
          'bom-ref': 'packages/page',
          name: '@own/page',
          version: '1.2.3',
          purl: 'pkg:npm/%40own/page@1.2.3',
          licenses: mit,
          components: [
            {
              type: 'library',
              'bom-ref': 'contained:node_modules/preact',
              name: 'preact',
              version: '11.2.0',
              purl: 'pkg:npm/preact@11.2.0',
              licenses: mit,
              hashes: [{ alg: 'SHA-512', content: '0001ff' }],
            },
            {
              type: 'library',
              'bom-ref': 'contained:packages/files',
              name: '@own/files',
              version: '1.2.3',
              purl: 'pkg:npm/%40own/files@1.2.3',
              licenses: mit,
            },
          ],
        },
      },
      components: [
        {
          type: 'library',
          'bom-ref': 'packages/core',
          name: '@own/core',
          version: '1.2.3',
          purl: 'pkg:npm/%40own/core@1.2.3',
          licenses: [{ expression: '(MIT OR CC0-1.0)' }],
        },
        {
          type: 'library',
          'bom-ref': 'packages/page/node_modules/router',
          name: 'router',
          version: '2.0.1',
          purl: 'pkg:npm/router@2.0.1',
          licenses: [{ license: { id: 'ISC' } }],
        },
      ],
      dependencies: [
        { ref: 'packages/page', dependsOn: ['packages/page/node_modules/router'] },
        { ref: 'packages/core', dependsOn: [] },
        { ref: 'packages/page/node_modules/router', dependsOn: ['packages/core'] },
      ],
    })
  })

  it('names no package that is not published, because what is copied of it is a part of the package', () => {
    expect(JSON.stringify(sbomOf(root, 'packages/page'))).not.toContain('hidden')
  })

  it('is refused if a file imports a package that it does not name', () => {
    const source =
      "import { a } from 'router/deep'\nimport fs from 'node:fs'\nconst b = require('hidden')\nimport('koa')\nconst c = `import { d } from 'text'`\n"
    expect(faults({ 'dist/index.mjs': source }, { koa: '^3.0.0' })).toEqual([
      '@own/page: dist/index.mjs imports hidden, which is not in dist/sbom.cdx.json.',
    ])
  })

  it('is refused if the bundler found another version or license', () => {
    expect(faults({ [NOTICES]: '## preact - 11.2.0 (MIT)\n' })).toEqual([])
    expect(faults({ [NOTICES]: '## preact - 11.2.0 (GPL-3.0)\n' })).toEqual([
      `@own/page: ${NOTICES} has preact - 11.2.0 (GPL-3.0), which is not in dist/sbom.cdx.json.`,
    ])
  })

  it('is not made without the license of a package', () => {
    write('.tsbuild/contents/packages/page/dist/index.json', '["node_modules/unknown"]')
    expect(() => sbomOf(root, 'packages/page')).toThrow(
      'package-lock.json has no license of node_modules/unknown',
    )
  })
})
