import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, posix } from 'node:path'
import { testsInWorkerd, type Project } from './project.js'

// By its own name: the sources and the build lie at different depths.
const FOLDER = join(
  dirname(createRequire(import.meta.url).resolve('service-signature/package.json')),
  'templates',
)

/** A file that is written, as a path from the folder of the project, and its text. */
export interface Written {
  readonly path: string
  readonly text: string
}

/** The route, and the test that shows that it answers. */
export function filesFor(project: Project): { readonly route: Written; readonly test: Written } {
  const { template, isTypeScript, isModule, host, runner } = project
  const route = `${host.route?.(project) ?? `${project.source}webhooks`}.${isTypeScript ? 'ts' : 'js'}`
  const text = read(`${template}.ts`)
  const test = testPath(project, route)
  const testText = forRunner(
    read(`${template}.test.ts`).replace(`'./${template}.js'`, `'${importPath(project, test, route)}'`),
    project,
  )
  return {
    route: { path: route, text: isTypeScript ? text : toJavaScript(text, isModule) },
    test: {
      path: test,
      // Vitest and node:test take ES modules in every project; Jest takes what the project is.
      text: test.endsWith('.ts') ? testText : toJavaScript(testText, isModule || runner !== 'jest'),
    },
  }
}

/** How a file imports the route: with the extension that the loader of that file needs. */
export function importPath(project: Project, from: string, to: string): string {
  const { isTypeScript, isModule, importsTypeScript, host } = project
  const path = posix.relative(posix.dirname(from), to)
  const base = (path.startsWith('.') ? path : `./${path}`).replace(/\.[jt]s$/, '')
  // Node itself loads it, perhaps without its types.
  if (from.endsWith('.mjs') || importsTypeScript) return base + posix.extname(to)
  const isBundled = isTypeScript && host.always === 'modules'
  return isModule && !isBundled ? `${base}.js` : base
}

function read(name: string): string {
  return readFileSync(join(FOLDER, name), 'utf8')
}

const TEST_FOLDERS = ['test', 'tests', '__tests__']

/** In the folder of the tests, or else next to the route. */
function testPath(
  { isTypeScript, isModule, runner, template, folders, dependencies }: Project,
  route: string,
): string {
  const own = template === 'nest' ? undefined : TEST_FOLDERS.find((name) => folders.has(name))
  const name = template === 'nest' && runner !== 'node' ? 'webhooks.module.spec' : 'webhooks.test'
  const path = `${own ?? posix.dirname(route)}/${name}`.replace(/^\.\//, '')
  // Node runs JavaScript, which may import TypeScript; ts-node compiles what is required.
  if (runner === 'node' && !dependencies.has('ts-node'))
    return `${path}.${isModule && !isTypeScript ? 'js' : 'mjs'}`
  return `${path}.${isTypeScript ? 'ts' : 'js'}`
}

/** The lines of a template that need Node, and their comment. */
const OF_NODE = /^.*(?:writeFileSync|process\.env|reports the answers).*\n/gm

/** The templates are tests of Vitest in Node. */
function forRunner(text: string, project: Project): string {
  const { runner } = project
  const vitest = "import { expect, it } from 'vitest'\n"
  if (testsInWorkerd(project)) return text.replaceAll(OF_NODE, '')
  if (runner === 'vitest') return text
  if (runner === 'jest') return `/** @jest-environment node */\n${text.replace(vitest, '')}`
  return text
    .replace(vitest, "import assert from 'node:assert/strict'\nimport { it } from 'node:test'\n")
    .replace('expect(answers).toEqual(', 'assert.deepEqual(answers, ')
}

/** Takes the types out of a template, which has them only in these places, and makes it CommonJS if it must be. */
function toJavaScript(text: string, isModule: boolean): string {
  const code = text
    .replaceAll(/^import type .*\n/gm, '')
    .replaceAll(
      /(?<=[\w)])(?:: (?:string|[A-Z]\w*|\{ \w+: \w+ \})(?: \| undefined)?(?=[,)]| =|\n| \{\n)| as [A-Z]\w*)/g,
      '',
    )
    .replaceAll(/(?<=\w)<\{.*?\}>(?=\()/g, '')
    .replaceAll(/process\.env\['(\w+)'\]/g, 'process.env.$1')
  return isModule ? code : toCommonJs(code)
}

function toCommonJs(code: string): string {
  const exported = [...code.matchAll(/^export (default )?(?:async )?(?:function|const) (\w+)/gm)]
  const exports = exported.map(([, isDefault, name]) => (isDefault ? name! : `{ ${name!} }`))
  const required = code
    .replaceAll(
      /^import \{ (.*) \} from (.*)$/gm,
      (_, names: string, from: string) => `const { ${names.replaceAll(' as ', ': ')} } = require(${from})`,
    )
    .replaceAll(/^import (\w+) from (.*)$/gm, 'const $1 = require($2)')
    .replaceAll(/^export (?:default )?/gm, '')
  return exports.length === 0 ? required : `${required}\nmodule.exports = ${exports.join()}\n`
}
