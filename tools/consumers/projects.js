// The projects that `npm run consumers` makes, and the commands that run in them.
import { readFileSync } from 'node:fs'

/**
 * @typedef {object} Installation
 * @property {string} template the folder next to this file that is copied
 * @property {readonly string[]} [packages] of this repository that it depends on; all of them by default
 * @property {Readonly<Record<string, string>>} [versions] of its host
 * @property {readonly (readonly [from: string, to: string])[]} [copied] files of the repository, and their places
 * @property {boolean} [isStrict] npm on the oldest Node must find no package that needs a later one
 *
 * @typedef {object} Project
 * @property {string} name
 * @property {string} shows the result that is proven when it passes
 * @property {string} installation
 * @property {string} [folder] in the installation
 * @property {readonly ('oldest' | 'newest')[]} nodes one of them where the version of Node makes no difference
 * @property {readonly string[]} line
 */

/** @type {Record<string, Record<string, string>>} */
const VERSIONS = JSON.parse(readFileSync(new URL('versions.json', import.meta.url), 'utf8'))
const NEXT = Object.entries(VERSIONS).map(([name, versions]) => ({ name, versions }))
const TYPES = ['assert', 'events']
const BOTH = /** @type {const} */ (['oldest', 'newest'])

/** @type {Record<string, Installation>} */
export const INSTALLATIONS = {
  project: {
    template: 'project',
    copied: TYPES.map((name) => [`packages/core/test/types/${name}.ts`, `typescript/src/${name}.ts`]),
  },
  sandbox: {
    template: 'sandbox',
    packages: ['audit', 'cli', 'core', 'explain', 'node', 'sandbox'],
    copied: ['jest', 'vitest'].map((name) => [`examples/${name}`, name]),
    isStrict: true,
  },
  ...Object.fromEntries(
    NEXT.map(({ name, versions }) => [
      name,
      { template: 'next', packages: ['core', 'fetch', 'node'], versions },
    ]),
  ),
}

/**
 * The longest ones come first.
 *
 * @type {readonly Project[]}
 */
export const PROJECTS = [
  {
    name: 'typescript',
    shows: 'types from TypeScript 5.0 to 7.0, in five module modes',
    installation: 'project',
    folder: 'typescript',
    nodes: ['oldest'],
    line: ['node', 'compile.js'],
  },
  ...NEXT.map(({ name }) => ({
    name,
    shows: 'app routes on nodejs and edge, an API route, built without the secret',
    installation: name,
    nodes: /** @type {const} */ (['oldest']),
    line: ['node', 'check.js'],
  })),
  {
    name: 'sandbox',
    shows: 'npm --engine-strict on the oldest Node, the sandbox in Jest and in Vitest',
    installation: 'sandbox',
    nodes: BOTH,
    line: ['node', 'check.js'],
  },
  {
    name: 'jest',
    shows: 'every host in CommonJS, two realms, jsdom',
    installation: 'project',
    nodes: ['newest'],
    line: ['node', 'node_modules/jest/bin/jest.js', '--ci'],
  },
  ...['cjs', 'esm'].map((folder) => ({
    name: folder,
    shows: `every entry and every host by ${folder === 'cjs' ? 'require' : 'import'}`,
    installation: 'project',
    folder,
    nodes: BOTH,
    line: ['node', '--test'],
  })),
]
