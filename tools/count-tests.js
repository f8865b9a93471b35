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
const skipped = sum('numPendingTests')
if (skipped > 0) console.log(`left out, each with its reason said above: ${skipped}`)
console.log(`tests: ${sum('numPassedTests')} passed, ${sum('numFailedTests')} failed`)

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
