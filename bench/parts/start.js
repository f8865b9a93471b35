import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { atMost, round } from '../report.js'
import { inTurns, median } from '../rounds.js'

const CORE = '@service-signature/core'
const ONLY_ESM = '@octokit/webhooks-methods'
const ADAPTERS = ['express', 'koa', 'hapi', 'fastify', 'fetch', 'lambda', 'node', 'redis'].map(
  (name) => `@service-signature/${name}`,
)
const PACKAGES = [CORE, `${CORE}/node`, ...ADAPTERS, 'stripe', 'standardwebhooks', 'svix', ONLY_ESM]
const MOST_MS = {
  ...{ [CORE]: 10 },
  ...Object.fromEntries(ADAPTERS.map((name) => [name, name.endsWith('hapi') ? 20 : 15])),
}

const folder = fileURLToPath(new URL('..', import.meta.url))

/** How much longer a fresh process takes that imports the package, compared with one that imports nothing. */
export async function start({ rounds }) {
  console.error('start: fresh processes')
  const programs = { 'esm bare': ['module', ''], 'cjs bare': ['commonjs', ''] }
  for (const name of PACKAGES) {
    programs[`esm ${name}`] = ['module', `import '${name}'`]
    if (name !== ONLY_ESM) programs[`cjs ${name}`] = ['commonjs', `require('${name}')`]
  }
  const times = await inTurns(programs, rounds, millisecondsOf)
  const over = (system, name) => {
    if (times[`${system} ${name}`] === undefined) return undefined
    const ms = median(times[`${system} ${name}`]) - median(times[`${system} bare`])
    return MOST_MS[name] === undefined ? round(ms) : atMost(ms, MOST_MS[name])
  }
  const rowOf = (name, esm, cjs) => ({
    package: name,
    'import, ms over bare Node': esm,
    'require, ms over bare Node': cjs,
  })
  const bare = rowOf('bare Node, in all', round(median(times['esm bare'])), round(median(times['cjs bare'])))
  return [
    {
      title: 'start',
      rows: [bare, ...PACKAGES.map((name) => rowOf(name, over('esm', name), over('cjs', name)))],
    },
  ]
}

/** Measured once and not by mitata, which runs everything twice: a fresh process has no warm-up. */
function millisecondsOf([type, program]) {
  const started = performance.now()
  const command = [`--input-type=${type}`, '--eval', program]
  execFileSync(process.execPath, command, { cwd: folder, env: {}, stdio: 'ignore' })
  return performance.now() - started
}
