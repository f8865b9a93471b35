// Builds the packages as npm publishes them: for each entry of a package one file per format, and one with its types.
// The types are bundled from the declarations that "tsc --project tsconfig.build.json" writes before.
//
//   npm run build
//   npm run build -- --configPackage core
import { readFileSync, rmSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { dts } from 'rollup-plugin-dts'
import { typeScript } from './tools/typescript-plugin.js'

/** @import { GetModuleInfo, Plugin, RollupOptions } from 'rollup' */
/** @typedef {'esm' | 'cjs'} Format */
/**
 * @typedef {object} Build
 * @property {string} [home] the folder of the package
 * @property {string} [folder] of the sources in it
 * @property {string[]} [entries] paths in that folder
 * @property {Format[]} [formats]
 * @property {string} [command]
 * @property {string[]} [bundled]
 */

/** The packages that differ from one entry, src/index.ts, in both formats. The entries of core have a folder. */
const PACKAGES = /** @type {Record<string, Build>} */ ({
  core: {
    folder: 'src/entries',
    entries: ['index', 'index.web', 'receiver', 'receiver.web', 'node', 'testing', 'telemetry'],
  },
  explain: { entries: ['index', 'index.web', 'record'] },
  express: {},
  cloudflare: {},
  koa: {},
  hapi: {},
  fastify: {},
  fetch: { entries: ['index', 'hono'] },
  lambda: {},
  mysql: {},
  nest: {},
  node: {},
  dynamodb: {},
  postgres: {},
  redis: {},
  sqlite: {},
  audit: { entries: ['index', 'groups'], formats: ['esm'] },
  // The whole of typebox takes 150 ms to load, of which a few functions are used.
  sandbox: {
    home: 'sandbox',
    folder: '.',
    entries: ['server/index', 'command/command'],
    formats: ['esm'],
    bundled: ['typebox'],
  },
  cli: { formats: ['esm'], command: 'src/main.ts' },
})

/**
 * Modules that are not published: the files in the folders of core, and packages of their own. A package that imports one gets
 * a copy.
 */
const INTERNAL = /^@service-signature\/(core(?=\/[^/]+\/)|deliveries|inbox|terminal)(?:\/(.+))?$/

/** @param {{ configPackage?: string }} commandLine */
export default function configure({ configPackage: only }) {
  const builds = Object.entries(PACKAGES).filter(([name]) => only === undefined || name === only)
  if (builds.length === 0) throw new Error(`Unknown package "${only}": ${Object.keys(PACKAGES).join(', ')}`)
  return builds.flatMap(([name, build]) => bundlesOf(name, build))
}

/**
 * The code of a package, and its types; or the code of its command, which only the file in "bin" imports.
 *
 * @param {string} name
 * @param {Build} build
 * @returns {RollupOptions[]}
 */
function bundlesOf(name, build) {
  const { home = `packages/${name}`, folder = 'src', command, bundled = [] } = build
  const { entries = ['index'], formats = ['esm', 'cjs'] } = build
  const dir = `${home}/dist`
  /** @type {RollupOptions} */
  const code = {
    external: (id) => isExternal(id) && !bundled.includes(id),
    onwarn(warning) {
      // Modules of a dependency may import each other.
      if (warning.code !== 'CIRCULAR_DEPENDENCY' || !warning.ids?.every(isOfDependency)) refuse(warning)
    },
    input: inputs(join(home, folder), entries, '.ts'),
    plugins: [dependencies(bundled), modulesOf(name, '.', '.ts'), typeScript()],
    // As "sideEffects" of the packages promises: modules that an entry does not use are left out.
    treeshake: { moduleSideEffects: false },
    output: formats.map((format) => ({
      ...outputIn(dir, format === 'esm' ? '.mjs' : '.cjs'),
      format,
      esModule: true,
      exports: 'named',
      generatedCode: 'es2015',
      // Jest runs CommonJS without import().
      dynamicImportInCjs: false,
      // An entry loads a chunk when it uses it itself, not because another chunk does.
      hoistTransitiveImports: false,
      banner: ({ moduleIds }) => licensesOf(bundled, moduleIds),
    })),
  }
  /** @type {RollupOptions} */
  const types = {
    external: isExternal,
    onwarn: refuse,
    input: inputs(join('.tsbuild', home, folder), entries, '.d.ts'),
    plugins: [modulesOf(name, '.tsbuild', '.d.ts'), dts()],
    output: formats.map((format) => outputIn(dir, format === 'esm' ? '.d.mts' : '.d.cts')),
  }
  /** @type {RollupOptions} */
  const commandCode = {
    ...code,
    input: { main: join(home, String(command)) },
    // Only "bin" imports it, so its entry may export what its other chunks need.
    preserveEntrySignatures: 'allow-extension',
  }
  /** @type {[RollupOptions, ...RollupOptions[]]} */
  const bundles = command === undefined ? [code, types] : [commandCode]
  const [first, ...others] = bundles
  return [{ ...first, plugins: [emptied(dir), first.plugins] }, ...others]
}

/** @param {string} id */
function isExternal(id) {
  return !/^[./]/.test(id) && !INTERNAL.test(id)
}

/** @param {string} id */
function isOfDependency(id) {
  return id.includes('/node_modules/')
}

/**
 * @param {{ message: string }} warning
 * @returns {never}
 */
function refuse({ message }) {
  throw new Error(message)
}

/**
 * Finds the dependencies that a package contains, and what they import.
 *
 * @param {string[]} names
 * @returns {Plugin}
 */
function dependencies(names) {
  return {
    name: 'dependencies',
    resolveId(source, importer) {
      if (names.includes(source)) return fileURLToPath(import.meta.resolve(source))
      return importer !== undefined && isOfDependency(importer) ? resolve(importer, '..', source) : undefined
    },
  }
}

/**
 * The licenses that must be in each copy of the dependencies in a file.
 *
 * @param {string[]} names
 * @param {readonly string[]} moduleIds
 */
function licensesOf(names, moduleIds) {
  return names
    .filter((name) => moduleIds.some((id) => id.includes(`/node_modules/${name}/`)))
    .map((name) => `/*!\n${readFileSync(`node_modules/${name}/license`, 'utf8').trim()}\n*/`)
    .join('\n')
}

/**
 * @param {string} folder
 * @param {string[]} entries
 * @param {string} extension
 */
function inputs(folder, entries, extension) {
  return Object.fromEntries(entries.map((entry) => [basename(entry), join(folder, entry + extension)]))
}

/**
 * @param {string} dir
 * @param {string} extension
 */
function outputIn(dir, extension) {
  const fileNames = `[name]${extension}`
  return {
    dir,
    entryFileNames: fileNames,
    chunkFileNames: fileNames,
    manualChunks: chunkOf,
    // The names of the sources are those in stack traces and in editors.
    minifyInternalExports: false,
  }
}

/**
 * Modules that several entries use are in one file, because a process takes half a millisecond for each file that it
 * loads. Those that entries for the web use, too, are in another file without code for Node.
 *
 * @param {string} id
 * @param {{ getModuleInfo: GetModuleInfo }} graph
 */
function chunkOf(id, { getModuleInfo }) {
  const entries = [...usersOf(id, getModuleInfo)].filter((user) => getModuleInfo(user)?.isEntry)
  if (entries.length < 2) return undefined
  // An endpoint that records refusals does not load the search of explain.
  if (entries.some((entry) => /\bexplain\/src\/record\./.test(entry))) return 'shared-record'
  return entries.some((entry) => entry.includes('.web.')) ? 'shared-web' : 'shared'
}

/**
 * A module, the modules that import it, and the ones that import those.
 *
 * @param {string} id
 * @param {GetModuleInfo} getModuleInfo
 */
function usersOf(id, getModuleInfo) {
  const users = new Set([id])
  for (const user of users) for (const importer of getModuleInfo(user)?.importers ?? []) users.add(importer)
  return users
}

/**
 * Removes the files of an earlier build.
 *
 * @param {string} dir
 * @returns {Plugin}
 */
function emptied(dir) {
  return {
    name: 'emptied',
    buildStart() {
      rmSync(dir, { recursive: true, force: true })
    },
  }
}

/**
 * Finds the file of a module, which is imported by the name that it would have as JavaScript. Of the class of errors, a
 * package gets no copy: there is one for all.
 *
 * @param {string} package_
 * @param {string} root of all packages
 * @param {string} extension
 * @returns {Plugin}
 */
function modulesOf(package_, root, extension) {
  const errors = resolve(root, 'packages/core/src', 'errors' + extension)
  return {
    name: 'modules',
    resolveId(source, importer) {
      const [, name, entry = 'index'] = INTERNAL.exec(source) ?? []
      if (name !== undefined) return resolve(root, 'packages', name, 'src', entry + extension)
      if (importer === undefined) return resolve(source)
      const file = resolve(importer, '..', source.replace(/\.js$/, extension))
      return file === errors && package_ !== 'core' ? { id: '@service-signature/core', external: true } : file
    },
  }
}
