/**
 * Says what is being measured, on standard error: standard output has the tables.
 *
 * @param {string} part
 * @param {string} step
 */
export function progress(part, step) {
  process.stderr.write(`${part}: ${step}\n`)
}
