// Prints the sums of the last test runs: sources, built packages, the examples for Nest and Prisma and the runtimes.
import { readFileSync } from 'node:fs'

/**
 * @typedef {{ fullName: string, status: string, failureMessages: string[] }} Result
 * @typedef {Record<`num${'Passed' | 'Failed' | 'Pending'}Tests`, number>} Sums
 * @typedef {Sums & { testResults?: { assertionResults: Result[] }[] }} Run
 */
const names = ['', '-built', '-drill', '-nest', '-prisma', '-runtimes', '-site']
const runs = names.map((name) => {
  const file = new URL(`../coverage/tests${name}.json`, import.meta.url)
  /** @type {Run} */
  const run = JSON.parse(readFileSync(file, 'utf8'))
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
