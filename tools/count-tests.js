// Prints how the last run of the tests ended, on the sources and on the built packages together, in one line.
import { readFileSync } from 'node:fs'

const runs = ['tests.json', 'tests-built.json'].map(readRun)
const skipped = sum('numPendingTests')
console.log(
  `tests: ${sum('numPassedTests')} passed, ${sum('numFailedTests')} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`,
)

/**
 * @typedef {{ numPassedTests: number, numFailedTests: number, numPendingTests: number }} Run
 * @param {string} name
 * @returns {Run}
 */
function readRun(name) {
  /** @type {Run} */
  const run = JSON.parse(readFileSync(new URL(`../coverage/${name}`, import.meta.url), 'utf8'))
  return run
}

/** @param {keyof Run} outcome */
function sum(outcome) {
  return runs.reduce((total, run) => total + run[outcome], 0)
}
