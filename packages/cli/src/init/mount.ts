import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Mount } from './hosts.js'
import type { Change } from './change.js'
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
    .map((path) => ({ path, text: readFileSync(join(folder, path), 'utf8') }))
  return (host.mounts ?? []).map((mount) => changeFor(mount, texts, project, route))
}

function changeFor(mount: Mount, sources: readonly Source[], project: Project, route: string): Change {
  const { edits = [], line, where } = mount
  const mounted = sources.find((source) => isImportedIn(source, mount, project, route))
  if (mounted !== undefined) return { kind: 'keep', path: mounted.path, about: 'uses the endpoint' }
  const places = sources.flatMap((source) =>
    edits.flatMap((edit) => [...source.text.matchAll(edit.anchor)].map(() => ({ source, edit }))),
  )
  const [place] = places
  if (places.length !== 1) {
    const { path = `${project.source}server.js`, text = '' } = place?.source ?? {}
    const statement = importStatement(mount, project, { path, text }, route)
    return { kind: 'todo', about: `Add ${line} ${where}. It needs: ${statement}` }
  }
  const { source, edit } = place!
  const { path, text } = source
  const statement = styled(importStatement(mount, project, source, route), text)
  const edited = text.replace(edit.anchor, styled(edit.change, text))
  return {
    kind: 'change',
    path,
    about: line,
    text: withImport(edited, statement, text.search(edit.anchor)),
    otherwise: `Add ${line} to ${path}, ${where}. It needs: ${statement}`,
  }
}

/** The module that has what the line uses. */
function importedFrom({ imports }: Mount, project: Project, path: string, route: string): string {
  return imports?.from ?? importPath(project, path, route)
}

function importStatement(mount: Mount, project: Project, { path, text }: Source, route: string): string {
  const { isTypeScript, isModule, host } = project
  const from = importedFrom(mount, project, path, route)
  const exported = mount.imports?.name ?? host.endpoint
  const name = exported === 'default' ? 'webhooks' : `{ ${exported} }`
  const hasImports = isTypeScript || isModule || /^import /m.test(text)
  return hasImports ? `import ${name} from '${from}'` : `const ${name} = require('${from}')`
}

/** Whatever the extension is that it is imported with. */
function isImportedIn({ path, text }: Source, mount: Mount, project: Project, route: string): boolean {
  const from = importedFrom(mount, project, path, route).replace(/\.[jt]s$/, '')
  return ["'", '"', '.js', '.ts'].some(
    (end) => text.includes(`'${from}${end}`) || text.includes(`"${from}${end}`),
  )
}

/** Statements in the style of a file: with its quotes, and with semicolons if it has them. */
function styled(statements: string, text: string): string {
  const imports = text.match(/^.*\b(?:from|require).*$/gm)?.join('') ?? ''
  const quoted = imports.includes('"') ? statements.replaceAll("'", '"') : statements
  return /;$/m.test(text) ? quoted.replaceAll(/(?<=[)'"])(?=\n|$)/g, ';') : quoted
}

const IMPORT = /^(?:import .*|\} from .*|(?:const|let|var) .* = require\(.*\);?)$/gm

/** Adds an import below the others, but above a place. */
function withImport(text: string, statement: string, place: number): string {
  const last = [...text.matchAll(IMPORT)].filter(({ index }) => index < place).at(-1)
  if (last === undefined) return `${statement}\n${text}`
  const end = last.index + last[0].length
  return `${text.slice(0, end)}\n${statement}${text.slice(end)}`
}
