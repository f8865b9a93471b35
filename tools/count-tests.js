// Prints the sums of the last test runs: sources, built packages, the examples for Nest and Prisma and the runtimes.
import { readFileSync } from 'node:fs'

const runs = [
  'tests.json',
  'tests-built.json',
  'tests-drill.json',
  'tests-nest.json',
  'tests-prisma.json',
  'tests-runtimes.json',
  'tests-site.json',
].map(readRun)
const retried = runs
  .flatMap(({ testResults = [] }) => testResults.flatMap(({ assertionResults }) => assertionResults))
  .filter(({ status, failureMessages }) => status === 'passed' && failureMessages.length > 0)
for (const { fullName, failureMessages } of retried) {
  console.log(`passed only at its second try: ${fullName}: ${failureMessages[0]?.split('\n')[0]}`)
}
const skipped = sum('numPendingTests')
if (skipped > 0) console.log(`left out, each with its reason said above: ${skipped}`)
console.log(`tests: ${sum('numPassedTests')} passed, ${sum('numFailedTests')} failed`)

/**
 * @typedef {{ fullName: string, status: string, failureMessages: string[] }} Result
 * @typedef {{ numPassedTests: number, numFailedTests: number, numPendingTests: number }} Sums
 * @typedef {Sums & { testResults?: { assertionResults: Result[] }[] }} Run
 * @param {string} name
 * @returns {Run}
 */
function readRun(name) {
  /** @type {Run} */
  const run = JSON.parse(readFileSync(new URL(`../coverage/${name}`, import.meta.url), 'utf8'))
  return run
}

/** @param {keyof Sums} outcome */
function sum(outcome) {
  return runs.reduce((total, run) => total + run[outcome], 0)
}
