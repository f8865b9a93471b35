// Builds what npm publishes: for each entry of a package one file per format, and one with its types. The types are bundled
// from the declarations that "tsc --project tsconfig.build.json" writes before.
//
//   npm run build
//   npm run build -- --configPackage core
import { rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { dts } from 'rollup-plugin-dts'
import { typeScript } from './tools/typescript-plugin.js'

/** @import { GetModuleInfo, Plugin, RollupOptions } from 'rollup' */
/** @typedef {'esm' | 'cjs'} Format */
/** @typedef {{ entries?: string[], formats?: Format[], isCommand?: boolean }} Build */

/** What a package has other than one entry, src/index.ts, in both formats. */
const PACKAGES = /** @type {Record<string, Build>} */ ({
  core: {
    entries: ['index', 'index.web', 'receiver', 'receiver.web', 'node', 'testing'],
  },
  explain: { entries: ['index', 'index.web'] },
  express: {},
  koa: {},
  hapi: {},
  fastify: {},
  fetch: { entries: ['index', 'hono'] },
  lambda: {},
  nest: {},
  node: {},
  postgres: {},
  redis: {},
  audit: { formats: ['esm'] },
  sandbox: { formats: ['esm'] },
  cli: { entries: ['main'], formats: ['esm'], isCommand: true },
})

/** Modules of core without an entry: a package that imports one gets a copy of its own. */
const INTERNAL = /^@service-signature\/core\/(internal|hmac\/\w+)$/

/** @param {{ configPackage?: string }} commandLine */
export default function configure({ configPackage: only }) {
  const builds = Object.entries(PACKAGES).filter(([name]) => only === undefined || name === only)
  if (builds.length === 0) throw new Error(`Unknown package "${only}": ${Object.keys(PACKAGES).join(', ')}`)
  return builds.flatMap(([name, build]) => bundlesOf(name, build))
}

/**
 * The code of a package, and its types.
 *
 * @param {string} name
 * @param {Build} build
 * @returns {RollupOptions[]}
 */
function bundlesOf(name, { entries = ['index'], formats = ['esm', 'cjs'], isCommand = false }) {
  const dir = `packages/${name}/dist`
  /** @type {RollupOptions} */
  const options = {
    external: (id) => !/^[./]/.test(id) && !INTERNAL.test(id),
    onwarn({ message }) {
      throw new Error(message)
    },
  }
  /** @type {RollupOptions} */
  const code = {
    ...options,
    input: inputs(join('packages', name, 'src'), entries, '.ts'),
    plugins: [emptied(dir), modulesIn('packages', '.ts'), typeScript()],
    // As "sideEffects" of the packages promises: modules that an entry does not use are left out.
    treeshake: { moduleSideEffects: false },
    // Only the file in "bin" imports a command, so its entry may export what its other chunks need.
    preserveEntrySignatures: isCommand ? 'allow-extension' : 'exports-only',
    output: formats.map((format) => ({
      ...outputIn(dir, format === 'esm' ? '.mjs' : '.cjs'),
      format,
      esModule: true,
      exports: 'named',
      generatedCode: 'es2015',
      // An entry loads a chunk when it uses it itself, not because another chunk does.
      hoistTransitiveImports: false,
    })),
  }
  /** @type {RollupOptions} */
  const types = {
    ...options,
    input: inputs(join('.tsbuild', name, 'src'), entries, '.d.ts'),
    plugins: [modulesIn('.tsbuild', '.d.ts'), dts()],
    output: formats.map((format) => outputIn(dir, format === 'esm' ? '.d.mts' : '.d.cts')),
  }
  return isCommand ? [code] : [code, types]
}

/**
 * @param {string} folder
 * @param {string[]} entries
 * @param {string} extension
 */
function inputs(folder, entries, extension) {
  return Object.fromEntries(entries.map((entry) => [entry, join(folder, entry + extension)]))
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
 * What several entries use is in one file, since a process takes half a millisecond for each file that it loads; what entries
 * for the web use, too, is in another, without any of Node.
 *
 * @param {string} id
 * @param {{ getModuleInfo: GetModuleInfo }} graph
 */
function chunkOf(id, { getModuleInfo }) {
  const entries = [...usersOf(id, getModuleInfo)].filter((user) => getModuleInfo(user)?.isEntry)
  if (entries.length < 2) return undefined
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
 * Removes what an earlier build wrote.
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
 * Finds the file of a module, which is imported by the name that it would have as JavaScript.
 *
 * @param {string} folder of all packages
 * @param {string} extension
 * @returns {Plugin}
 */
function modulesIn(folder, extension) {
  return {
    name: 'modules',
    resolveId(source, importer) {
      const [, internal] = INTERNAL.exec(source) ?? []
      if (internal !== undefined) return resolve(folder, 'core/src', internal + extension)
      if (importer === undefined) return resolve(source)
      return resolve(importer, '..', source.replace(/\.js$/, extension))
    },
  }
}
