// Checks the message of each commit, since this check was added, or of a range: node tools/commits.js origin/main..HEAD
import { execFileSync } from 'node:child_process'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const TYPES = ['build', 'chore', 'ci', 'docs', 'feat', 'fix', 'perf', 'refactor', 'revert', 'style', 'test']
const SUBJECT = new RegExp(`^(?:${TYPES.join('|')})(?:\\([a-z0-9, -]+\\))?!?: \\S`)
const MOST_CHARACTERS = 72
/** It writes its messages itself, and names what it updates. */
const DEPENDABOT = /^(?:\d+\+)?dependabot\[bot\]@users\.noreply\.github\.com$/

/**
 * @param {string} author the address
 * @param {string} message
 */
export function faultsOf(author, message) {
  if (DEPENDABOT.test(author)) return []
  const [line = '', second = ''] = message.split('\n')
  // GitHub adds the number of the pull request to the subject of a squashed one.
  const subject = line.replace(/ \(#\d+\)$/, '')
  const faults = []
  if (!SUBJECT.test(subject)) faults.push(`"${subject}" does not begin as "fix(replay): ..."`)
  if (subject.length > MOST_CHARACTERS) {
    faults.push(`"${subject}" has ${subject.length} characters; the most are ${MOST_CHARACTERS}`)
  }
  if (subject.endsWith('.')) faults.push(`"${subject}" ends with a full stop`)
  if (/\bwip\b/i.test(message)) faults.push(`"${subject}" is work in progress`)
  if (second !== '') faults.push(`"${subject}" needs an empty line after the subject`)
  return faults
}

/** @param {string[]} options */
function git(...options) {
  return execFileSync('git', options, { encoding: 'utf8' })
}

const [, script = '', asked] = process.argv
const thisFile = fileURLToPath(import.meta.url)
if (resolve(script) === thisFile) {
  const range =
    asked ?? `${git('log', '--diff-filter=A', '--format=%H', '--', thisFile).split('\n')[0]}..HEAD`
  const entries = git('log', '--no-merges', '--format=%h %ae %B%x00', range).split('\0')
  const commits = entries.map((entry) => entry.trim()).filter((entry) => entry !== '')
  const faults = commits.flatMap((commit) => {
    const [hash = '', author = ''] = commit.split(' ', 2)
    const message = commit.slice(hash.length + author.length + 2)
    return faultsOf(author, message).map((fault) => `${hash}: ${fault}`)
  })
  for (const fault of faults) console.error(fault)
  console.log(`${commits.length} commit messages, ${faults.length} faults.`)
  process.exitCode = faults.length === 0 ? 0 : 1
}
