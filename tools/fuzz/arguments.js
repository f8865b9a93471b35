import { randomInt } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { parseArgument } from './input.js'
import { TARGETS } from './targets/all.js'

/** @import { Input } from './input.js' */
/** @import { Target } from './targets/target.js' */

export const HELP = `Feeds mutated deliveries to the built packages, and looks for one that breaks a promise.

  npm run fuzz -- [options]

  --seconds <n>      how long, all targets together (default: 60)
  --inputs <n>       how many mutated inputs for each target, instead of a time
  --seed <n>         makes the same inputs again (default: another each time; it is printed)
  --target <name>    only this one; may be given more than once
  --input <what>     only this input: name=hex,name=hex, or the file of a finding; needs --target
  --findings <dir>   where findings are written (default: tools/fuzz/findings)
  --keep             writes the corpus anew: the smallest inputs that reach what is reached,
                     out of the corpus, the test vectors and what this run found
  --help

Targets, and what must hold in each:
${TARGETS.map(({ name, promise }) => `  ${name.padEnd(15)}${promise}`).join('\n')}
In all: nothing is thrown but WebhookError, and no call takes over a second for 64 KB.

Ends with 0 where nothing was found, 1 with a finding, 2 on wrong use, 130 when interrupted.
The edge build: node --conditions=worker tools/fuzz/run.js`

/**
 * @typedef {object} Arguments
 * @property {boolean} help
 * @property {readonly Target[]} targets
 * @property {number} seed
 * @property {{ seconds: number } | { inputs: number }} budget
 * @property {Input | undefined} input
 * @property {string} findings
 * @property {boolean} keep
 */

/**
 * @param {readonly string[]} argv
 * @returns {Arguments}
 * @throws {TypeError} where they make no sense
 */
export function readArguments(argv) {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      seconds: { type: 'string' },
      inputs: { type: 'string' },
      seed: { type: 'string' },
      target: { type: 'string', multiple: true },
      input: { type: 'string' },
      findings: { type: 'string' },
      keep: { type: 'boolean' },
      help: { type: 'boolean' },
    },
  })
  const targets = (values.target ?? TARGETS.map(({ name }) => name)).map(targetOf)
  if (values.input !== undefined && values.target?.length !== 1)
    throw new TypeError('--input needs one --target')
  if (values.seconds !== undefined && values.inputs !== undefined) {
    throw new TypeError('Give --seconds or --inputs, and not both')
  }
  return {
    help: values.help ?? false,
    targets,
    seed: values.seed === undefined ? randomInt(2 ** 32) : numberOf(values.seed, '--seed'),
    budget:
      values.inputs === undefined
        ? { seconds: numberOf(values.seconds ?? '60', '--seconds') }
        : { inputs: numberOf(values.inputs, '--inputs') },
    input: values.input === undefined ? undefined : inputOf(values.input),
    findings: values.findings ?? fileURLToPath(new URL('findings', import.meta.url)),
    keep: values.keep ?? false,
  }
}

/** @param {string} name */
function targetOf(name) {
  const target = TARGETS.find((target) => target.name === name)
  if (target !== undefined) return target
  throw new TypeError(
    `There is no target "${name}". There are: ${TARGETS.map(({ name }) => name).join(', ')}`,
  )
}

/**
 * @param {string} text
 * @param {string} option
 */
function numberOf(text, option) {
  if (!/^[0-9]{1,10}$/.test(text)) throw new TypeError(`${option} must be a whole number`)
  return Number(text)
}

/** @param {string} text */
function inputOf(text) {
  if (!existsSync(text)) return parseArgument(text)
  /** @type {{ input: string }} */
  const { input } = JSON.parse(readFileSync(text, 'utf8'))
  return parseArgument(input)
}
