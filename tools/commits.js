// Checks the message of each commit, since this check was added, or of a range: node tools/commits.js origin/main..HEAD
import { execFileSync } from 'node:child_process'

const TYPES = ['build', 'chore', 'ci', 'docs', 'feat', 'fix', 'perf', 'refactor', 'revert', 'style', 'test']
const SUBJECT = new RegExp(`^(?:${TYPES.join('|')})(?:\\([a-z0-9, -]+\\))?!?: \\S`)
const MOST_CHARACTERS = 72

const THIS_FILE = 'tools/commits.js'
const range =
  process.argv[2] ?? `${git('log', '--diff-filter=A', '--format=%H', '--', THIS_FILE).split('\n')[0]}..HEAD`
const entries = git('log', '--no-merges', '--format=%h %B%x00', range).split('\0')
const commits = entries.map((entry) => entry.trim()).filter((entry) => entry !== '')
const faults = commits.flatMap((commit) => {
  const [hash = ''] = commit.split(' ', 1)
  return faultsOf(commit.slice(hash.length + 1)).map((fault) => `${hash}: ${fault}`)
})
for (const fault of faults) console.error(fault)
console.log(`${commits.length} commit messages, ${faults.length} faults.`)
process.exitCode = faults.length === 0 ? 0 : 1

/** @param {string} message */
function faultsOf(message) {
  const [subject = '', second = ''] = message.split('\n')
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
