import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import ts from 'typescript'
import { expect, it } from 'vitest'
import { readPackages } from '../release/metadata.js'

const root = resolve(import.meta.dirname, '../..')

/** The targets of `exports` in a package.json, for every condition. */
type Target = string | { readonly [condition: string]: Target }

function targetsIn(target: Target): string[] {
  return typeof target === 'string' ? [target] : Object.values(target).flatMap(targetsIn)
}

/** The sources of the entries of a package: of `./dist/index.mjs`, that is `index.ts` in one of these. */
const SOURCES = ['src/entries', 'src', 'server', 'command']

/** The sources of the entries of a package. */
function entriesOf(folder: string): string[] {
  const { private: isPrivate, exports = {} } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8')) as {
    readonly private?: boolean
    readonly exports?: Target
  }
  if (isPrivate) return []
  const names = targetsIn(exports).flatMap((target) => /^\.\/dist\/(.+)\.mjs$/.exec(target)?.[1] ?? [])
  return [...new Set(names)].map((name) =>
    SOURCES.map((sources) => `${folder}/${sources}/${name}.ts`).find((file) => existsSync(file))!,
  )
}

/** What a module exports, types included. */
function namesIn(file: string): string[] {
  const { statements } = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest)
  return statements.flatMap((statement) => {
    if (ts.isExportDeclaration(statement)) {
      const { exportClause: clause, moduleSpecifier: from } = statement
      if (clause !== undefined)
        return ts.isNamedExports(clause) ? clause.elements.map(({ name }) => name.text) : []
      const source = (from as ts.StringLiteral).text.replace(/\.js$/, '.ts')
      return namesIn(resolve(file, '..', source))
    }
    const isExported =
      ts.canHaveModifiers(statement) &&
      ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)
    if (!isExported) return []
    if (ts.isVariableStatement(statement)) {
      return statement.declarationList.declarations.map(({ name }) => (name as ts.Identifier).text)
    }
    return [(statement as ts.DeclarationStatement).name!.text]
  })
}

it('the published packages export the names in public-names.txt, and nothing else', async () => {
  const lines = readPackages(root).flatMap(({ folder }) =>
    entriesOf(`${root}/${folder}`).map((entry) => {
      const names = [...new Set(namesIn(entry))].sort()
      return `${entry.slice(root.length + 1)}: ${names.join(' ')}\n`
    }),
  )
  // To write the list: npx vitest run public-names -u
  await expect(lines.join('')).toMatchFileSnapshot('public-names.txt')
})
