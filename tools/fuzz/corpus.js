import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { formatLine, parseLine, sizeOf } from './input.js'

/** @import { Input } from './input.js' */
/** @import { Target } from './targets/target.js' */

const folder = new URL('corpus/', import.meta.url)

/**
 * The inputs that are kept in the repository, or, where there are none yet, those to begin with.
 *
 * @param {Pick<Target, 'name' | 'starts'>} target
 * @returns {Input[]}
 */
export function readCorpus({ name, starts }) {
  const file = new URL(`${name}.jsonl`, folder)
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : []
  return [...starts.map((start) => JSON.stringify(start)), ...lines].map(parseLine)
}

/**
 * @param {Pick<Target, 'name'>} target
 * @param {readonly Input[]} inputs
 */
export function writeCorpus({ name }, inputs) {
  writeFileSync(new URL(`${name}.jsonl`, folder), inputs.map((input) => `${formatLine(input)}\n`).join(''))
}

/**
 * The smallest inputs that reach what all of them reach.
 *
 * @param {readonly Input[]} inputs
 * @param {(input: Input) => Promise<boolean>} reachesNew
 */
export async function selected(inputs, reachesNew) {
  /** @type {Input[]} */
  const kept = []
  for (const input of [...inputs].sort((a, b) => sizeOf(a) - sizeOf(b))) {
    if (await reachesNew(input)) kept.push(input)
  }
  return kept
}
