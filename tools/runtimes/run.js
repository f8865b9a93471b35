// Runs the built packages on every runtime that they are for: the test vectors, and the fetch adapter over real sockets.
//
//   node tools/runtimes/run.js [--only <runtime>]
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { install } from './install.js'
import { startKeyService } from './key-service.js'
import { playCases } from './play.js'
import { keepSums, say, sumsOf, tableOf, tell } from './report.js'
import { executableOf, RUNTIMES, versionOf } from './runtimes.js'
import { startServer } from './server.js'
import { askVectors, checkEntry } from './vectors.js'

const { values } = parseArgs({ options: { only: { type: 'string', multiple: true } } })
const chosen = RUNTIMES.filter(({ name }) => values.only?.includes(name) ?? true)
const names = RUNTIMES.map(({ name }) => name)
const unknown = values.only?.find((name) => !names.includes(name))
if (unknown !== undefined) {
  say(`There is no runtime "${unknown}". There are: ${names.join(', ')}`)
  process.exit(2)
}

if (!existsSync(new URL('../../packages/fetch/dist/esm/index.js', import.meta.url))) {
  say('The packages are not built. Run: npm run build')
  process.exit(2)
}

// On any end, also by Ctrl+C: what was started ends with this process, and its folder goes.
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) process.once(signal, () => process.exit(1))
const folder = mkdtempSync(join(tmpdir(), 'service-signature-runtimes-'))
process.once('exit', () => {
  rmSync(folder, { recursive: true, force: true })
})

const started = Date.now()
const installed = install(chosen)
const absent = chosen.filter((runtime) => !installed.includes(runtime))
for (const { name } of absent)
  say(`NOT TESTED: ${name} has no package for ${process.platform} on ${process.arch}`)
const keyService = await startKeyService()

/** @type {import('./report.js').Row[]} */
const rows = []
for (const runtime of installed) {
  for (const digest of runtime.digests) rows.push(await runOn(runtime, digest))
}
keyService.end()

const { passed, failed, unable } = sumsOf(rows)
const seconds = ((Date.now() - started) / 1000).toFixed()
// Some of the runtimes are not the run that is counted.
if (values.only === undefined) keepSums(rows)
console.log(tableOf(rows))
console.log(
  `runtimes: ${passed} passed, ${failed} failed, ${unable} that a runtime is unable to, in ${seconds} s`,
)
process.exitCode = failed > 0 || rows.length === 0 ? 1 : 0

/**
 * @param {import('./runtimes.js').Runtime} runtime
 * @param {import('./runtimes.js').Digest} digest
 * @returns {Promise<import('./report.js').Row>}
 */
async function runOn(runtime, digest) {
  const home = join(folder, `${runtime.name}-${digest.replace(/\W/g, '-')}`)
  mkdirSync(home)
  /** @type {import('./report.js').Row} */
  const row = {
    ...{ runtime: runtime.name, version: versionOf(runtime) ?? '', digest },
    vectors: { passed: 0, failures: [] },
    cases: { passed: 0, failures: [], unable: [] },
  }
  /** @type {import('./server.js').Server | undefined} */
  let server
  try {
    await runtime.prepare?.(folder)
    server = await startServer(executableOf(runtime), runtime.line(digest, folder), home)
    await checkEntry(server.port, digest)
    row.vectors = await askVectors(server.port)
    row.cases = await playCases(server.port, runtime.lacks, keyService)
  } catch (error) {
    row.cases.failures.push(String(error))
  } finally {
    await server?.end()
  }
  tell(row, server?.output())
  return row
}
