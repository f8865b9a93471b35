import { mkdirSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { formatArgument, formatLine, hashOf, sizeOf } from './input.js'

/** @import { Campaign, Finding } from './campaign.js' */

/** What a command line can hold without trouble. */
const MAX_ARGUMENT = 2000

/**
 * One line on a target.
 *
 * @param {Campaign} campaign
 * @param {{ milliseconds: number, reached: number | undefined }} run
 */
export function summaryOf({ target, inputs, kept, slowest }, { milliseconds, reached }) {
  const perSecond = Math.round(inputs / Math.max(milliseconds / 1000, 0.001))
  return [
    target.name.padEnd(14),
    `${count(inputs)} inputs`.padStart(17),
    `${count(perSecond)}/s`.padStart(9),
    reached === undefined ? '' : `${count(reached)} places, ${count(kept.length)} inputs new`.padStart(29),
    `  slowest: ${slowest.call}, ${Math.round(slowest.milliseconds)} ms`,
  ].join('')
}

/**
 * Writes a finding down, and says what it is and how to see it again.
 *
 * @param {Campaign} campaign
 * @param {Finding} finding
 * @param {{ seed: number, folder: string }} run
 */
export function reportFinding({ target, inputs }, { fault, input, original }, { seed, folder }) {
  mkdirSync(folder, { recursive: true })
  const file = join(folder, `${target.name}-${hashOf(input)}.json`)
  const argument = formatArgument(input)
  const command = `npm run fuzz -- --target ${target.name} --input `
  const path = relative(process.cwd(), file)
  const repeat = command + (argument.length <= MAX_ARGUMENT ? argument : path)
  const record = { target: target.name, fault: fault.message, seed, inputs, repeat, input: argument }
  writeFileSync(file, `${JSON.stringify(record, null, 2)}\n`)
  const { cause } = fault
  return [
    `FOUND by ${target.name}: ${fault.message}`,
    ...(fault.name === 'Broken' ? [] : [String(fault.stack)]),
    ...(cause instanceof Error ? [String(cause.stack)] : []),
    `  input: ${clipped(formatLine(input))}`,
    `  of seed ${seed}, ${count(inputs)} inputs with those to shrink it; ${sizeOf(original)} bytes became ${sizeOf(input)}`,
    `  written to ${path}`,
    `  again: ${repeat}`,
  ].join('\n')
}

/** @param {number} value */
export function count(value) {
  return value.toLocaleString('en-US')
}

/** @param {string} text */
function clipped(text) {
  return text.length <= MAX_ARGUMENT ? text : `${text.slice(0, MAX_ARGUMENT)} ... (${text.length} characters)`
}
