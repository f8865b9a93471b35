import type { Change } from './change.js'
import { lineEnd, readSource } from './files.js'
import type { Mount } from './hosts.js'
import type { Project } from './project.js'
import { importPath } from './templates.js'

interface Source {
  readonly path: string
  readonly text: string
}

/** The lines that make the server use the route, in files of the project. */
export function mountChanges(project: Project, route: string): readonly Change[] {
  const { host, folder, sources } = project
  if (host.isMounted?.(project) === true) return []
  const texts = sources
    .filter((path) => path !== route)
    .flatMap((path) => {
      const text = readSource(folder, path)
      return text === undefined ? [] : [{ path, text }]
    })
  return (host.mounts ?? []).map((mount) => changeFor(mount, texts, project, route))
}

function changeFor(mount: Mount, sources: readonly Source[], project: Project, route: string): Change {
  const importFor = (path: string) => mount.imports?.from ?? importPath(project, path, route)
  const mounted = sources.find(({ path, text }) => isImportedIn(text, importFor(path)))
  if (mounted !== undefined) return { kind: 'keep', path: mounted.path, about: 'uses the endpoint' }
  const [place, ...others] = sources.flatMap((source) => placesIn(source, mount))
  const statementFor = ({ path, text }: Source) => importStatement(mount, project, text, importFor(path))
  if (place === undefined) {
    const statement = statementFor({ path: `${project.source}server.js`, text: '' })
    return { kind: 'todo', about: `Add ${mount.line} ${mount.where}. It needs: ${statement}` }
  }
  const places = [place, ...others]
  const line = either(places.map((each) => each.line))
  const files = either(places.map(({ source }) => source.path))
  const statement = styled(either(places.map(({ source }) => statementFor(source))), place.source.text)
  const about = `Add ${line} to ${files}, ${mount.where}. It needs: ${statement}`
  if (others.length > 0) return { kind: 'todo', about }
  const text = withLine(place, statement)
  return { kind: 'change', path: files, about: line, text, otherwise: { about } }
}

/** A place in a file for the new line. */
interface Place {
  readonly source: Source
  readonly anchor: RegExp
  readonly change: string
  readonly line: string
}

function placesIn(source: Source, { edits = [], line }: Mount): readonly Place[] {
  return edits.flatMap(([anchor, change]) =>
    [...source.text.matchAll(anchor)].map((found) => ({
      source,
      anchor,
      change,
      line: lineFor(line, change, found),
    })),
  )
}

function either(texts: readonly string[]): string {
  return [...new Set(texts)].join(' or ')
}

function withLine({ source: { text }, anchor, change }: Place, statement: string): string {
  const edited = text.replace(anchor, styled(change, text).replaceAll('\n', lineEnd(text)))
  return withImport(edited, statement, text.search(anchor))
}

/** The new line with the variable that was found, which the change of the file uses. */
function lineFor(line: string, change: string, found: RegExpExecArray): string {
  const [, group] = /\$(\d)\./.exec(change) ?? []
  return group === undefined
    ? line
    : line.replaceAll(/\b(?:app|server|request)\b(?=[.,])/g, found[Number(group)]!)
}

function importStatement({ imports }: Mount, project: Project, text: string, from: string): string {
  const { isTypeScript, isModule, host } = project
  const exported = imports?.name ?? host.endpoint
  const name = exported === 'default' ? 'webhooks' : `{ ${exported} }`
  const hasImports = isTypeScript || isModule || /^import /m.test(text)
  return hasImports ? `import ${name} from '${from}'` : `const ${name} = require('${from}')`
}

/** Whatever the extension is that it is imported with. */
function isImportedIn(text: string, from: string): boolean {
  const module = from.replace(/\.[jt]s$/, '')
  return [`${module}'`, `${module}"`, `${module}.js`, `${module}.ts`].some(
    (name) => text.includes(`'${name}`) || text.includes(`"${name}`),
  )
}

/** Statements in the style of a file: with its quotes, and with semicolons if it has them. */
function styled(statements: string, text: string): string {
  const imports = text.match(/^.*\b(?:from|require).*$/gm)?.join('') ?? ''
  const quoted = imports.includes('"') ? statements.replaceAll("'", '"') : statements
  return /;$/m.test(text) ? quoted.replaceAll(/(?<=[)'"])(?=\n|$)/g, ';') : quoted
}

/** Lines that stay above a new import, or are one. */
const ABOVE =
  /^\uFEFF?(?:#!.*|(["'])use \w+\1;?|import .*|\} from .*|(?:const|let|var) .* = require\(.*\);?)$/gm

/** Adds an import below the others, but above a place. */
function withImport(text: string, statement: string, place: number): string {
  const end = lineEnd(text)
  const last = [...text.matchAll(ABOVE)].filter(({ index }) => index < place).at(-1)
  if (last === undefined) return text.replace(/^\uFEFF?/, (mark) => mark + statement + end)
  const at = last.index + last[0].length
  return text.slice(0, at) + end + statement + text.slice(at)
}
