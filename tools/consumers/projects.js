import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Failure, INSTALLING, run } from './steps.js'

const here = fileURLToPath(new URL('.', import.meta.url))

// Their test is the test of a tool, and the tool's versions of Node are not ours to prove.
const ONLY_CURRENT = new Set(['jest'])

const LONGEST = 'typescript'

/** @type {import('./nodes.js').Node} */
const CURRENT = { version: process.versions.node, bin: dirname(process.execPath) }

/** That which takes longest first, so that the others are done beside it. */
export function projectNames() {
  const names = readdirSync(join(here, 'projects'))
  return [LONGEST, ...names.filter((name) => name !== LONGEST)]
}

/**
 * @typedef {{ name: string, folder: string }} Project
 * @typedef {{ dependencies: Record<string, string>, overrides?: Record<string, string> }} Manifest
 */

/**
 * Copies a project, and installs it with the tarballs. No registry has the packages, so they are taken for each other, too.
 *
 * @param {string} name
 * @param {ReadonlyMap<string, string>} tarballs
 * @param {string} parent
 * @returns {Promise<Project>}
 */
export async function installProject(name, tarballs, parent) {
  const folder = join(parent, name)
  cpSync(join(here, 'projects', name), folder, { recursive: true })
  cpSync(join(here, 'shared'), join(folder, 'shared'), { recursive: true })

  /** @type {Manifest} */
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  manifest.overrides = Object.fromEntries([...tarballs].map(([each, path]) => [each, `file:${path}`]))
  // What is not built was said to be so, and is left out.
  manifest.dependencies = Object.fromEntries(
    Object.entries(manifest.dependencies)
      .filter(([each]) => !each.startsWith('@service-signature/') || tarballs.has(each))
      .map(([each, range]) => [each, manifest.overrides?.[each] ?? range]),
  )
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest))
  await run(folder, ['npm', 'install', '--no-package-lock', ...INSTALLING])
  return { name, folder }
}

/**
 * Runs a project's tests with each Node. What comes before the test (it compiles, for one) is the first Node's alone.
 *
 * @param {Project} project
 * @param {readonly import('./nodes.js').Node[]} nodes
 * @param {(title: string, seconds: number, failure: string | undefined) => void} tell
 */
export async function testProject({ name, folder }, nodes, tell) {
  const [first] = nodes
  for (const node of ONLY_CURRENT.has(name) ? [CURRENT] : nodes) {
    const env = { ...process.env, PATH: [node.bin, process.env['PATH']].join(delimiter) }
    const line = [
      'npm',
      'test',
      '--silent',
      ...(node === first || node === CURRENT ? [] : ['--ignore-scripts']),
    ]
    const title = `${name}, Node ${node.version}`
    const started = Date.now()
    /** @param {string} [failure] */
    const end = (failure) => {
      tell(title, (Date.now() - started) / 1000, failure)
    }
    try {
      const version = await run(folder, ['node', '--version'], env)
      if (!version.startsWith(`v${node.version}`)) throw new Failure(`this Node is ${version}`)
      await run(folder, line, env)
      end()
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      end(error.message)
    }
  }
}
