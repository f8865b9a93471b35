// Prints the failed tests of all runs, and their sums at the end. Each run has written a report into the folder of the coverage.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * @typedef {{ fullName: string, status: string, failureMessages: string[] }} Result
 * @typedef {{ name: string, status: string, message: string, assertionResults: Result[] }} File
 * @typedef {Record<`num${'Passed' | 'Failed' | 'Pending'}Tests`, number>} Sums
 * @typedef {Sums & { testResults?: File[] }} Run
 */
const MOST_LINES = 5
const [folder = 'coverage'] = process.argv.slice(2)
const names = existsSync(folder) ? readdirSync(folder).filter((name) => /^tests.*\.json$/.test(name)) : []
const runs = names.map((name) => {
  /** @type {Run} */
  const run = JSON.parse(readFileSync(join(folder, name), 'utf8'))
  return run
})
const files = runs.flatMap(({ testResults = [] }) => testResults)
const results = files.flatMap(({ assertionResults }) => assertionResults)
const sum = (/** @type {keyof Sums} */ outcome) => runs.reduce((total, run) => total + run[outcome], 0)
const skipped = sum('numPendingTests')
if (skipped > 0) console.log(`left out, each with its reason said above: ${skipped}`)
// The middle of a long log is cut, so they are repeated at its end.
const unloaded = files.filter(({ status, message }) => status === 'failed' && message !== '')
for (const { name, message } of unloaded) printFailed(name, message)
for (const { fullName, status, failureMessages } of results)
  if (status === 'failed') printFailed(fullName, failureMessages.join('\n'))
console.log(`tests: ${sum('numPassedTests')} passed, ${sum('numFailedTests') + unloaded.length} failed`)

/**
 * @param {string} name
 * @param {string} message
 */
function printFailed(name, message) {
  const lines = message.split('\n').slice(0, MOST_LINES)
  console.log([`FAILED: ${name}`, ...lines].join('\n  '))
}
