// Holds what Stryker found against what is known of it.

/**
 * A mutant that no test notices, as Stryker's report or our list names it: not by its line, which moves.
 *
 * @typedef {object} Survivor
 * @property {string} file from the root of the repository
 * @property {string} line the whole line where it begins, as it stands in the sources
 * @property {string} original what is replaced
 * @property {string} replacement
 *
 * @typedef {Survivor & { reason: string }} KnownSurvivor
 *
 * @typedef {object} Position
 * @property {number} line from 1
 * @property {number} column from 1
 *
 * @typedef {object} Mutant
 * @property {string} status
 * @property {string} [replacement]
 * @property {{ start: Position, end: Position }} location
 *
 * @typedef {{ files: Record<string, { source: string, mutants: readonly Mutant[] }> }} Report the part of Stryker's report that is read here
 *
 * @typedef {object} Judgement
 * @property {readonly { module: string, noticed: number, all: number }[]} modules
 * @property {readonly Survivor[]} unknown what survives, and is not in the list
 * @property {readonly KnownSurvivor[]} stale what is in the list, and does not survive in the files that were mutated
 */

/** What the mutated files belong to, by the start of their path. */
const MODULES = {
  header: ['header.ts'],
  freshness: ['freshness.ts'],
  versions: ['versions.ts'],
  'canonical-json': ['canonical-json/'],
  verifier: ['verifier.ts', 'prover.ts', 'match.ts'],
  secrets: ['secrets/'],
  replay: ['replay/'],
}
const SOURCES = 'packages/core/src/'

const NOTICED = ['Killed', 'Timeout']
const UNNOTICED = ['Survived', 'NoCoverage']

/**
 * @param {Report} report
 * @param {readonly KnownSurvivor[]} known
 * @returns {Judgement}
 */
export function judge({ files }, known) {
  const paths = Object.keys(files)
  const modules = Object.entries(MODULES).flatMap(([module, starts]) => {
    const own = paths.filter((path) => starts.some((start) => path.startsWith(SOURCES + start)))
    const mutants = own.flatMap((path) => files[path]?.mutants ?? [])
    const noticed = mutants.filter(({ status }) => NOTICED.includes(status)).length
    const all = noticed + mutants.filter(({ status }) => UNNOTICED.includes(status)).length
    return all === 0 ? [] : [{ module, noticed, all }]
  })
  const surviving = paths.flatMap((path) => survivorsIn(path, files))
  // A line may hold the same thing twice, and the list then has it twice.
  const rest = surviving.map(keyOf)
  const stale = known.filter((each) => {
    const index = rest.indexOf(keyOf(each))
    if (index >= 0) rest.splice(index, 1)
    return index < 0 && paths.includes(each.file)
  })
  const unknown = surviving.filter((each) => {
    const index = rest.indexOf(keyOf(each))
    if (index >= 0) rest.splice(index, 1)
    return index >= 0
  })
  return { modules, unknown, stale }
}

/**
 * @param {string} path
 * @param {Report['files']} files
 * @returns {Survivor[]}
 */
function survivorsIn(path, files) {
  const { source = '', mutants = [] } = files[path] ?? {}
  const lines = source.split('\n')
  const offsetOf = (/** @type {Position} */ { line, column }) =>
    lines.slice(0, line - 1).reduce((sum, { length }) => sum + length + 1, 0) + column - 1
  return mutants
    .filter(({ status }) => UNNOTICED.includes(status))
    .map(({ location: { start, end }, replacement = '' }) => ({
      file: path,
      line: (lines[start.line - 1] ?? '').trim(),
      original: source.slice(offsetOf(start), offsetOf(end)),
      replacement,
    }))
}

/** @param {Survivor} survivor */
const keyOf = ({ file, line, original, replacement }) => JSON.stringify([file, line, original, replacement])
