// Uses the packages as merchants would: installed from what npm would publish, in projects of their own.
//
//   node tools/consumers/run.js [--only <project>] [--node <version>]
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { nodeVersions, installNodes } from './nodes.js'
import { pack } from './pack.js'
import { installProject, projectNames, testProject } from './projects.js'
import { inLanes, Failure, warnOfStrangers } from './steps.js'

const { values } = parseArgs({
  options: { only: { type: 'string', multiple: true }, node: { type: 'string', multiple: true } },
})
const names = chosen('project', projectNames(), values.only)
const versions = chosen('version of Node', nodeVersions(), values.node)

const started = Date.now()
const folder = mkdtempSync(join(tmpdir(), 'service-signature-consumers-'))
process.once('exit', () => {
  rmSync(folder, { recursive: true, force: true })
})
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) process.once(signal, () => process.exit(1))

let runs = 0
/** @type {string[]} */
const failures = []

warnOfStrangers(folder)
try {
  mkdirSync(join(folder, 'tarballs'))
  const [tarballs, nodes] = await Promise.all([pack(join(folder, 'tarballs')), installNodes(versions)])
  // Installing waits for the disk and testing for the processor: one goes on beside the other.
  await inLanes(2, names, async (name) => {
    const project = await installProject(name, tarballs, folder)
    await testProject(project, nodes, (title, seconds, failure) => {
      runs += 1
      report(`${title}: ${failure === undefined ? 'good' : 'FAILED'} (${seconds.toFixed(1)} s)`)
      if (failure !== undefined) failures.push(`${title}\n${failure}`)
    })
  })
} catch (error) {
  if (!(error instanceof Failure)) throw error
  failures.push(error.message)
}

for (const failure of failures) report(`\n${failure}`)
const seconds = ((Date.now() - started) / 1000).toFixed()
report(`consumers: ${runs - failures.length} of ${runs} runs are good, in ${seconds} s`)
process.exitCode = failures.length > 0 ? 1 : 0

/** @param {string} line */
function report(line) {
  process.stderr.write(`${line}\n`)
}

/**
 * @param {string} what
 * @param {string[]} all
 * @param {string[] | undefined} wanted
 */
function chosen(what, all, wanted = all) {
  const unknown = wanted.find((name) => !all.includes(name))
  if (unknown === undefined) return wanted
  report(`There is no ${what} "${unknown}". There are: ${all.join(', ')}`)
  process.exit(2)
}
