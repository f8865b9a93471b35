// Compares what was printed with what a README shows. Ids, times and ports differ with each run; "..." stands for what the
// README leaves out: alone on a line for lines, within a line for a part of it.
const DIFFER = /** @type {const} */ ([
  [/\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, '<uuid>'],
  [/\bt=1[0-9]{9}\b/g, 't=<time>'],
  [/\b\d+ ms\b/g, '<n> ms'],
  [/\bsigned [01] s ago\b/g, 'signed 0 s ago'],
  [/\b(127\.0\.0\.1|localhost):\d+/g, '$1:<port>'],
])

/**
 * The first line of the README that was not printed, or was not printed there; undefined where all is as it says.
 *
 * @param {string} shown
 * @param {string} printed
 * @returns {string | undefined}
 */
export function firstDifference(shown, printed) {
  const actual = linesOf(printed)
  let at = 0
  let isFree = false
  for (const line of linesOf(shown)) {
    if (line.trim() === '...') {
      isFree = true
      continue
    }
    const pattern = new RegExp(`^${line.split('...').map(escaped).join('.*')}$`)
    const found = isFree ? actual.findIndex((each, index) => index >= at && pattern.test(each)) : at
    if (!pattern.test(actual[found] ?? '')) {
      return `the README says:\n  ${line}\nprinted was:\n  ${(isFree ? actual.slice(at) : [actual[at] ?? '(no more)']).join('\n  ')}`
    }
    at = found + 1
    isFree = false
  }
  return isFree || at === actual.length ? undefined : `the README ends before:\n  ${actual[at] ?? ''}`
}

/** @param {string} text */
function linesOf(text) {
  const same = DIFFER.reduce((result, [pattern, name]) => result.replace(pattern, name), text)
  return same.trimEnd().split('\n')
}

/** @param {string} text */
function escaped(text) {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
