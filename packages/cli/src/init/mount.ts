import type { Change } from './change.js'
import { readSource } from './files.js'
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
  const { edits = [], line, where } = mount
  const fromIn = (path: string) => mount.imports?.from ?? importPath(project, path, route)
  const mounted = sources.find(({ path, text }) => isImportedIn(text, fromIn(path)))
  if (mounted !== undefined) return { kind: 'keep', path: mounted.path, about: 'uses the endpoint' }
  const places = sources.flatMap((source) =>
    edits.flatMap(([anchor, change]) =>
      [...source.text.matchAll(anchor)].map(() => ({ source, anchor, change })),
    ),
  )
  const [place] = places
  if (places.length !== 1) {
    const { path = `${project.source}server.js`, text = '' } = place?.source ?? {}
    const statement = importStatement(mount, project, text, fromIn(path))
    return { kind: 'todo', about: `Add ${line} ${where}. It needs: ${statement}` }
  }
  const { source, anchor, change } = place!
  const { path, text } = source
  const statement = styled(importStatement(mount, project, text, fromIn(path)), text)
  const edited = text.replace(anchor, styled(change, text))
  return {
    kind: 'change',
    path,
    about: line,
    text: withImport(edited, statement, text.search(anchor)),
    otherwise: { about: `Add ${line} to ${path}, ${where}. It needs: ${statement}` },
  }
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

const IMPORT = /^(?:import .*|\} from .*|(?:const|let|var) .* = require\(.*\);?)$/gm

/** Adds an import below the others, but above a place. */
function withImport(text: string, statement: string, place: number): string {
  const last = [...text.matchAll(IMPORT)].filter(({ index }) => index < place).at(-1)
  if (last === undefined) return `${statement}\n${text}`
  const end = last.index + last[0].length
  return `${text.slice(0, end)}\n${statement}${text.slice(end)}`
}
