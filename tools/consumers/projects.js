// The projects that `npm run consumers` makes, and the commands that run in them.
import { readFileSync } from 'node:fs'

/**
 * @typedef {object} Installation
 * @property {string} template the folder next to this file that is copied
 * @property {readonly string[]} [packages] of this repository that it depends on; all of them by default
 * @property {Readonly<Record<string, string>>} [versions] of its host
 * @property {readonly string[]} [examples] the folders of examples/ that are copied
 * @property {boolean} [isStrict] npm on the oldest Node must find no package that needs a later one
 *
 * @typedef {object} Project
 * @property {string} name
 * @property {string} shows the result that is proven when it passes
 * @property {string} installation
 * @property {string} [folder] in the installation
 * @property {readonly ('oldest' | 'newest')[]} nodes
 * @property {readonly string[]} line
 */

/** @type {Record<string, Record<string, string>>} */
const VERSIONS = JSON.parse(readFileSync(new URL('versions.json', import.meta.url), 'utf8'))

/** @type {Record<string, Installation>} */
export const INSTALLATIONS = {
  project: { template: 'project' },
  sandbox: {
    template: 'sandbox',
    packages: ['audit', 'cli', 'core', 'explain', 'node', 'sandbox'],
    examples: ['jest', 'vitest'],
    isStrict: true,
  },
  ...variants('next', ['core', 'fetch', 'node']),
  ...variants('nest', ['core', 'nest']),
}

const BOTH = /** @type {const} */ (['oldest', 'newest'])

/**
 * The longest ones come first. Where the version of Node makes no difference, there is one.
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
  ...applications('next', 'app routes on nodejs and edge, an API route, built without the secret'),
  ...applications('nest', 'on Express and Fastify, in CommonJS and as ES modules'),
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
  {
    name: 'cjs',
    shows: 'every entry and every host by require',
    installation: 'project',
    folder: 'cjs',
    nodes: BOTH,
    line: ['node', '--test'],
  },
  {
    name: 'esm',
    shows: 'every entry and every host by import',
    installation: 'project',
    folder: 'esm',
    nodes: BOTH,
    line: ['node', '--test'],
  },
]

/**
 * One template, installed with each tested version of its host.
 *
 * @param {string} template
 * @param {readonly string[]} packages
 */
function variants(template, packages) {
  return Object.fromEntries(
    Object.entries(VERSIONS)
      .filter(([name]) => name.startsWith(`${template}-`))
      .map(([name, versions]) => [name, { template, packages, versions }]),
  )
}

/**
 * @param {string} template
 * @param {string} shows
 * @returns {Project[]}
 */
function applications(template, shows) {
  return Object.entries(INSTALLATIONS)
    .filter(([, installation]) => installation.template === template)
    .map(([name]) => ({ name, shows, installation: name, nodes: ['oldest'], line: ['node', 'check.js'] }))
}
