// Finds citations of documents that readers do not have, and words of the old style (see CONTRIBUTING). exceptions.json
// has the number of findings that each file may still have. It must match, so that it only falls: --update lowers it.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'

// Generated and recorded files, and the words of this check.
const LEFT_OUT = /^docs\/api\/|(?:^|\/)package-lock\.json$|\.(?:svg|jsonl)$|^tools\/(?:fuzz\/corpus|prose)\//
const EXCEPTIONS = new URL('exceptions.json', import.meta.url)

/** @type {readonly [RegExp, string][]} */
const RULES = [
  [/\bS\d{1,2}(?:\.\d+)*\b|\bDESIGN\b/g, 'say it in words, or link to the page'],
  [/\bmend(?:s|ed|ing)?\b/gi, 'fix'],
  [/\b(?:is|are|has|have|was|were) none\b/gi, 'is not a ..., there is no ...'],
  [/(?<!there )\b(?:is|are) no (?!longer|more\b|matter)/gi, 'is not a ..., there is no ...'],
  [/\bstands? there\b|\bha(?:s|ve) got\b/gi, 'appears, has'],
  [/\bcom(?:es?|ing) (?:back|again|twice)\b/gi, 'returns, is retried, is sent twice'],
  [/\b(?:whoever|nobody)\b/gi, 'the caller, the client, the sender, no caller'],
  [/\b(?:is|are|was|were|be) told\b|\btells? of\b/gi, 'reports, returns, gets'],
  [/\b(?:is|are|was|were) to be \w+ed\b/gi, 'must be ..., should be ...'],
  [/\bbeside\b|\banew\b/gi, 'next to, besides, again'],
  [/\bgenuine and fresh\b/gi, 'valid'],
]

/** @type {Record<string, number>} */
const allowed = JSON.parse(readFileSync(EXCEPTIONS, 'utf8'))
const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'])
const files = listed
  .toString()
  .split('\0')
  .filter((file) => existsSync(file) && !LEFT_OUT.test(file))
const found = new Map(files.map((file) => /** @type {const} */ ([file, findings(file)])))

const count = (/** @type {string} */ file) => found.get(file)?.length ?? 0
const fallen = Object.keys(allowed).filter((file) => count(file) < (allowed[file] ?? 0))
if (process.argv.includes('--update')) {
  for (const file of fallen) allowed[file] = count(file)
  const left = Object.entries(allowed).filter(([, limit]) => limit > 0)
  writeFileSync(EXCEPTIONS, `${JSON.stringify(Object.fromEntries(left), null, 2)}\n`)
} else if (fallen.length > 0) {
  console.error(`${fallen.join('\n')}\nhave fewer findings than before. Run: npm run lint:prose -- --update`)
  process.exitCode = 1
}
for (const [file, list] of found) {
  const limit = allowed[file] ?? 0
  if (list.length <= limit) continue
  console.error(`${list.join('\n')}\n${file} has ${list.length} findings, ${limit} are allowed.`)
  process.exitCode = 1
}

/** @param {string} file */
function findings(file) {
  const lines = readFileSync(file, 'utf8').split('\n')
  return lines.flatMap((line, index) =>
    RULES.flatMap(([pattern, instead]) =>
      [...line.matchAll(pattern)].map(([word]) => `${file}:${index + 1}: "${word}" -> ${instead}`),
    ),
  )
}
