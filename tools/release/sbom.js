// The SBOM of a package, as CycloneDX: what its files contain, by the record of the build, and what npm installs with it, in
// the versions of the lock file. Not by `npm sbom`, which knows nothing of bundles, stops at a workspace without a version and
// writes the time and its own version.
import { readdirSync, readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { join } from 'node:path'
import typescript from 'typescript'
import { RECORDS } from '../record-contents.js'

/**
 * @typedef {{ version?: string, license?: string, integrity?: string, link?: boolean, resolved?: string, name?: string,
 *   dependencies?: Record<string, string>, optionalDependencies?: Record<string, string> }} Locked
 */

/** Where a package has its SBOM. */
export const SBOM = 'dist/sbom.cdx.json'
/** The licenses of what is bundled into the page of the sandbox, as Vite found them. */
export const NOTICES = 'dist/page/third-party-notices.md'

/**
 * The same for each build of a commit: it has no serial number and no time.
 *
 * @param {string} root
 * @param {string} folder of the package, after its build
 */
export function sbomOf(root, folder) {
  /** @type {{ packages: Record<string, Locked> }} */
  const { packages: lock } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  const contained = [...contentsOf(root, folder)]
    .filter((each) => each !== folder && !isPrivate(root, each))
    .sort()
  const graph = dependencyGraph(lock, folder)
  const { [folder]: own = [], ...others } = graph
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      component: {
        ...componentOf(lock, folder),
        ...(contained.length > 0 && {
          // A package can be contained in part, and be a dependency.
          components: contained.map((each) => componentOf(lock, each, 'contained:')),
        }),
      },
    },
    components: Object.keys(others)
      .sort()
      .map((each) => componentOf(lock, each)),
    dependencies: [[folder, own], ...Object.entries(others).sort()].map(([ref, dependsOn]) => ({
      ref,
      dependsOn,
    })),
  }
}

/**
 * @param {string} root
 * @param {string} folder
 */
function contentsOf(root, folder) {
  const records = join(root, RECORDS, folder)
  const names = readdirSync(records, { recursive: true, encoding: 'utf8' })
  const contents = names
    .filter((each) => each.endsWith('.json'))
    .flatMap((name) => {
      /** @type {string[]} */
      const folders = JSON.parse(readFileSync(join(records, name), 'utf8'))
      return folders
    })
  return new Set(contents)
}

/**
 * Whether a package is not published: what the build copies of it is a part of the package.
 *
 * @param {string} root
 * @param {string} folder
 */
function isPrivate(root, folder) {
  if (folder.includes('node_modules/')) return false
  /** @type {{ private?: boolean }} */
  const manifest = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'))
  return manifest.private === true
}

/**
 * What each of the packages that npm installs depends on, from this one on.
 *
 * @param {Record<string, Locked>} lock
 * @param {string} folder
 * @param {Record<string, string[]>} [graph]
 */
function dependencyGraph(lock, folder, graph = {}) {
  const { dependencies = {}, optionalDependencies = {} } = lock[folder] ?? {}
  graph[folder] = Object.keys({ ...dependencies, ...optionalDependencies })
    .map((name) => installed(lock, folder, name))
    .sort()
  for (const each of graph[folder]) if (graph[each] === undefined) dependencyGraph(lock, each, graph)
  return graph
}

/**
 * Where a package finds another, as Node looks for it.
 *
 * @param {Record<string, Locked>} lock
 * @param {string} from
 * @param {string} name
 */
function installed(lock, from, name) {
  for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/')))) {
    const key = `${at && `${at}/`}node_modules/${name}`
    const found = lock[key]
    if (found !== undefined) return found.link ? String(found.resolved) : key
    if (at === '') throw new Error(`package-lock.json has no ${name}, which ${from} requires`)
  }
}

/**
 * @param {Record<string, Locked>} lock
 * @param {string} folder
 * @param {string} [prefix] of the reference
 */
function componentOf(lock, folder, prefix = '') {
  const {
    version,
    license,
    integrity,
    name = folder.split('node_modules/').at(-1) ?? '',
  } = lock[folder] ?? {}
  if (license === undefined) throw new Error(`package-lock.json has no license of ${folder}`)
  return {
    type: 'library',
    'bom-ref': prefix + folder,
    name,
    ...(version !== undefined && { version, purl: `pkg:npm/${name.replace('@', '%40')}@${version}` }),
    licenses: [/^[\w.+-]+$/.test(license) ? { license: { id: license } } : { expression: license }],
    ...(integrity?.startsWith('sha512-') && {
      hashes: [{ alg: 'SHA-512', content: Buffer.from(integrity.slice(7), 'base64').toString('hex') }],
    }),
  }
}

/**
 * Compares an SBOM with the files of the package: with what they import, and with the licenses that Vite found.
 *
 * @param {ReturnType<typeof sbomOf>} sbom
 * @param {string} folder
 * @param {readonly string[]} files
 * @param {Record<string, unknown>} peers
 */
export function sbomFaults({ metadata, components }, folder, files, peers) {
  const { component } = metadata
  const named = new Set([component, ...components].map(({ name }) => name))
  const modules = files.filter((file) => /\.[cm]js$/.test(file))
  const missing = modules.flatMap((file) =>
    importsOf(readFileSync(join(folder, file), 'utf8'))
      .filter((name) => !isBuiltin(name) && !named.has(name) && peers[name] === undefined)
      .map((name) => `${file} imports ${name}`),
  )
  const contained = new Set(
    (component.components ?? []).map((each) => `${each.name} - ${each.version} (${licenseOf(each)})`),
  )
  const notices = files.includes(NOTICES) ? readFileSync(join(folder, NOTICES), 'utf8') : ''
  const noticed = Array.from(notices.matchAll(/^## (.+ - .+ \(.+\))$/gm), ([, title = '']) => title)
  return [
    ...missing,
    ...noticed.filter((title) => !contained.has(title)).map((title) => `${NOTICES} has ${title}`),
  ].map((fact) => `${component.name}: ${fact}, which is not in ${SBOM}.`)
}

/** @param {{ licenses: ({ license: { id: string } } | { expression: string })[] }} component */
function licenseOf({ licenses: [first] }) {
  return first && ('license' in first ? first.license.id : first.expression)
}

/**
 * The names of the packages that a file imports.
 *
 * @param {string} source
 */
function importsOf(source) {
  // By the compiler's own scanner: a template of code in a string is not an import.
  return typescript
    .preProcessFile(source, true, true)
    .importedFiles.map(({ fileName }) => /^(?:@[^/]+\/)?[^/]+/.exec(fileName)?.[0] ?? '')
    .filter((name) => !name.startsWith('.'))
}
