// Prints the sums of the test runs, of which each has written a report into the folder of the coverage.
import { readdirSync, readFileSync } from 'node:fs'

/**
 * @typedef {{ fullName: string, status: string, failureMessages: string[] }} Result
 * @typedef {Record<`num${'Passed' | 'Failed' | 'Pending'}Tests`, number>} Sums
 * @typedef {Sums & { testResults?: { assertionResults: Result[] }[] }} Run
 */
const folder = new URL('../coverage/', import.meta.url)
const names = readdirSync(folder).filter((name) => /^tests.*\.json$/.test(name))
const runs = names.map((name) => {
  /** @type {Run} */
  const run = JSON.parse(readFileSync(new URL(name, folder), 'utf8'))
  return run
})
const results = runs.flatMap(({ testResults = [] }) => testResults.flatMap((each) => each.assertionResults))
for (const { fullName, status, failureMessages } of results)
  if (status === 'passed' && failureMessages.length > 0)
    console.log(`passed only at its second try: ${fullName}: ${failureMessages[0]?.split('\n')[0]}`)
const sum = (/** @type {keyof Sums} */ outcome) => runs.reduce((total, run) => total + run[outcome], 0)
const skipped = sum('numPendingTests')
if (skipped > 0) console.log(`left out, each with its reason said above: ${skipped}`)
console.log(`tests: ${sum('numPassedTests')} passed, ${sum('numFailedTests')} failed`)
