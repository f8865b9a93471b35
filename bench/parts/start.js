import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { progress } from '../progress.js'
import { atMost, round } from '../report/bounds.js'
import { inTurns, median } from '../rounds.js'

const OURS = ['core', 'express', 'koa', 'hapi'].map((name) => `@service-signature/${name}`)
const PEERS = ['stripe', 'standardwebhooks', 'svix', '@octokit/webhooks-methods']
/** For those that have no CommonJS build. */
const ONLY_ESM = ['@octokit/webhooks-methods']
const MOST_MS = 25

const folder = fileURLToPath(new URL('..', import.meta.url))

/** How much longer a fresh process lives that imports the package, than one that imports nothing. */
export async function start({ rounds }) {
  progress('start', 'fresh processes')
  const names = [...OURS, ...PEERS]
  const times = await inTurns(
    {
      'esm bare': fresh('module', ''),
      'cjs bare': fresh('commonjs', ''),
      ...Object.fromEntries(names.map((name) => [`esm ${name}`, fresh('module', `import '${name}'`)])),
      ...Object.fromEntries(
        names
          .filter((name) => !ONLY_ESM.includes(name))
          .map((name) => [`cjs ${name}`, fresh('commonjs', `require('${name}')`)]),
      ),
    },
    rounds,
    millisecondsOf,
  )
  const timeOf = (system, name) => times[`${system} ${name}`] && median(times[`${system} ${name}`])
  const over = (system, name) => {
    if (timeOf(system, name) === undefined) return undefined
    const ms = timeOf(system, name) - timeOf(system, 'bare')
    return name === '@service-signature/core' ? atMost(ms, MOST_MS) : round(ms)
  }
  const rows = names.map((name) => ({
    package: name,
    'import, ms over bare Node': over('esm', name),
    'require, ms over bare Node': over('cjs', name),
  }))
  const bare = {
    package: 'bare Node, in all',
    'import, ms over bare Node': round(timeOf('esm', 'bare')),
    'require, ms over bare Node': round(timeOf('cjs', 'bare')),
  }
  return [{ title: 'start', rows: [bare, ...rows] }]
}

/**
 * @param {'module' | 'commonjs'} type
 * @param {string} program
 */
function fresh(type, program) {
  const command = [`--input-type=${type}`, '--eval', program]
  return () => execFileSync(process.execPath, command, { cwd: folder, env: {}, stdio: 'ignore' })
}

/** Once, and not by mitata, which runs everything twice: a fresh process knows no warm-up. */
function millisecondsOf(run) {
  const started = performance.now()
  run()
  return performance.now() - started
}
