import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { readPackages } from '../release/metadata.js'
import { noticeFaults } from '../release/notices.js'

const LICENSE = 'The License\n\nCopyright (c) someone\n'
const FAULT =
  '@service-signature/page: no file has the license of inlined, which is bundled. Add it in the build.'
let root: string

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'service-signature-notices-'))
  write('packages/core/package.json', JSON.stringify({ name: '@service-signature/core', version: '1.0.0' }))
  write(
    'packages/page/package.json',
    JSON.stringify({
      name: '@service-signature/page',
      version: '1.0.0',
      dependencies: { installed: '1', '@service-signature/core': '1.0.0' },
      peerDependencies: { '@host/peer': '1' },
    }),
  )
  write('node_modules/inlined/LICENSE', LICENSE)
  write('packages/page/dist/index.mjs', 'code()\n')
})

afterEach(() => {
  rmSync(root, { recursive: true })
})

function write(file: string, content: string) {
  mkdirSync(dirname(join(root, file)), { recursive: true })
  writeFileSync(join(root, file), content)
}

function faults(files = ['dist/index.mjs']) {
  const item = readPackages(root).find(({ folder }) => folder === 'packages/page')
  return noticeFaults(root, item!, files)
}

it.each([
  ['src/index.ts', "import { a } from 'inlined'\n"],
  ['src/deep/index.ts', "import {\n  a,\n  b,\n} from 'inlined/part'\n"],
  ['src/index.ts', "export { a } from 'inlined'\n"],
  ['page/main.tsx', "const a = await import('inlined')\n"],
])('names a package that %s imports and that is not installed: %j', (file, code) => {
  write(`packages/page/${file}`, code)
  expect(faults()).toEqual([FAULT])
})

it('names a package that an internal package brings', () => {
  write('node_modules/@service-signature/internal/src/index.ts', "import { a } from 'inlined'\n")
  write('packages/page/src/index.ts', "import { b } from '@service-signature/internal'\n")
  expect(faults()).toEqual([FAULT])
})

it('names a package without a license file', () => {
  rmSync(join(root, 'node_modules/inlined/LICENSE'))
  write('packages/page/src/index.ts', "import { a } from 'inlined'\n")
  expect(faults()).toEqual([FAULT])
})

it('accepts the license in any packed file, with other line breaks', () => {
  write('packages/page/src/index.ts', "import { a } from 'inlined'\n")
  write('packages/page/dist/notices.md', '# Notices\n\nThe License\nCopyright (c)\nsomeone\n')
  expect(faults()).toEqual([FAULT])
  expect(faults(['dist/index.mjs', 'dist/notices.md'])).toEqual([])
})

it('asks for no license of types, dependencies, peers, Node and files', () => {
  const imports = [
    "import type { A } from 'inlined'",
    "import { b } from 'installed/part'",
    "import { c } from '@host/peer'",
    "import { d } from 'node:fs'",
    "import { e } from './inlined.js'",
    "import { f } from '@service-signature/core'",
  ]
  write('packages/page/src/index.ts', `${imports.join('\n')}\n`)
  write('packages/page/page/vite.config.ts', "import { g } from 'inlined'\n")
  expect(faults()).toEqual([])
})
