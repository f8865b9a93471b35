// Prints how the last run of the tests ended, in one line.
import { readFileSync } from 'node:fs'

const file = new URL('../coverage/tests.json', import.meta.url)
/** @type {{ numPassedTests: number, numFailedTests: number, numPendingTests: number }} */
const { numPassedTests, numFailedTests, numPendingTests } = JSON.parse(readFileSync(file, 'utf8'))
const skipped = numPendingTests > 0 ? `, ${numPendingTests} skipped` : ''
console.log(`tests: ${numPassedTests} passed, ${numFailedTests} failed${skipped}`)
