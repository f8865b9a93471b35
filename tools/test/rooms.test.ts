import { Linter } from 'eslint'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { importsBetweenFolders } from '../lint/rooms.js'

type Table = Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>

const table: Table = { shop: { ground: [], upper: ['ground'], '.': ['ground', 'upper'] } }

/** The messages for a file of a package. */
function messagesOf(file: string, code: string, rooms: Table = table): readonly string[] {
  const config = {
    files: ['**/*.ts'],
    plugins: { rooms: { rules: { imports: importsBetweenFolders } } },
    rules: { 'rooms/imports': ['error', rooms] },
  } as const satisfies Linter.Config
  return new Linter({ cwd: '/project' })
    .verify(code, config, resolve('/project/packages', file))
    .map(({ message }) => message)
}

describe('the rule about folders', () => {
  it.each([
    ['an import', "import { a } from '../upper/a.js'"],
    ['an import for its effects', "import '../upper/a.js'"],
    ['an export', "export { a } from '../upper/a.js'"],
    ['an export of everything', "export * from '../upper/a.js'"],
    ['a dynamic import', "await import('../upper/a.js')"],
  ])('refuses %s from a folder that is not allowed', (_, code) => {
    expect(messagesOf('shop/src/ground/b.ts', code)).toEqual([
      '"ground" must not import from "upper"; it may import from: no other folder.',
    ])
  })

  it('refuses an import from the files next to the folders, unless they are allowed', () => {
    expect(messagesOf('shop/src/upper/b.ts', "import '../index.js'")).toEqual([
      '"upper" must not import from "."; it may import from: ground.',
    ])
  })

  it('counts folders within a folder as the folder', () => {
    expect(messagesOf('shop/src/ground/deep/b.ts', "import '../../upper/a.js'")).toHaveLength(1)
    expect(messagesOf('shop/src/ground/deep/b.ts', "import '../a.js'")).toEqual([])
  })

  it('keeps the command of the sandbox out of its server', () => {
    const rooms = { sandbox: { '.': [], command: [] } }
    expect(messagesOf('../sandbox/command/b.ts', "import '../server/index.js'", rooms)).toEqual([
      '"command" must not import from "."; it may import from: no other folder.',
    ])
    expect(messagesOf('../sandbox/command/b.ts', "import './a.js'", rooms)).toEqual([])
  })

  it.each([
    ['of an allowed folder', 'shop/src/upper/b.ts', "import '../ground/a.js'"],
    ['of the same folder', 'shop/src/upper/b.ts', "import './a.js'"],
    ['of another package', 'shop/src/ground/b.ts', "import '@service-signature/core'"],
    ['of a file next to the folders', 'shop/src/index.ts', "export * from './upper/a.js'"],
    ['of a package without a table', 'inn/src/ground/b.ts', "import '../upper/a.js'"],
    ['of a test', 'shop/test/b.ts', "import '../src/upper/a.js'"],
  ])('accepts an import %s', (_, file, code) => {
    expect(messagesOf(file, code)).toEqual([])
  })

  it('refuses a folder that the table does not have', () => {
    expect(messagesOf('shop/src/attic/b.ts', 'export {}')).toEqual([
      'The folder "attic" is not in the table of tools/lint/rooms.js.',
    ])
  })

  it('refuses a table with two folders that need each other', () => {
    const rooms = { shop: { ground: ['upper'], upper: ['ground'] } }
    expect(() => messagesOf('shop/src/ground/b.ts', '', rooms)).toThrow(
      '"ground" may import only from folders above it, got "upper"',
    )
  })
})
