// Finds citations of documents that readers do not have, words of the old style (see CONTRIBUTING), characters that look alike
// on the screen, which could hide a change in code that decides about money, and more words than pages may have in all.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'

// Generated and recorded files, and the words of this check.
const LEFT_OUT =
  /^docs\/api\/|(?:^|\/)package-lock\.json$|\.(?:svg|webp|jsonl)$|^tools\/prose\/|generator\/bodies\.py$/

/** @type {readonly [RegExp, string][]} */
const RULES = [
  [/[^\t\r\x20-\x7e]/g, 'ASCII, or an escape'],
  [/\bS\d{1,2}(?:\.\d+)*\b|\bDESIGN\b/g, 'say it in words, or link to the page'],
  [/\bmend(?:s|ed|ing)?\b/gi, 'fix'],
  [/\b(?:is|are|has|have|was|were) none\b/g, 'is not a ..., there is no ...'],
  [/(?<!there )\b(?:is|are) no (?!longer|more\b|matter)/gi, 'is not a ..., there is no ...'],
  [/\bstands? there\b|\bha(?:s|ve) got\b/gi, 'appears, has'],
  [/\bcom(?:es?|ing) (?:back|again|twice)\b/gi, 'returns, is retried, is sent twice'],
  [/\b(?:whoever|nobody)\b/gi, 'the caller, the client, the sender, no caller'],
  [/\b(?:is|are|was|were|be) told\b|\btells? of\b/gi, 'reports, returns, gets'],
  [/\b(?:is|are|was|were) to be \w+ed\b/gi, 'must be ..., should be ...'],
  [/\bbeside\b|\banew\b/gi, 'next to, besides, again'],
  [/\bgenuine and fresh\b/gi, 'valid'],
  [/, for (?:it|they|this|that|there|nobody)\b/gi, 'because'],
  [/\bbehind (?:it|that|them)\b/gi, 'after'],
  [/\b(?:somebody|everybody|anybody)\b(?! else)/gi, 'the caller, an attacker, anyone, another process'],
  [/\bfor ever\b/gi, 'forever'],
  // The service documents no retries.
  [
    /(?<!\b(?:if|than|how long|so that) )\bthe (?:sender|(?:payment )?service) (?:will retry|retries|repeats|sends it again)\b/gi,
    'if the sender retries, a sender that retries, the sender can retry',
  ],
  [/(?<=(?:\/\/|\/\*\*) )Of (?:each|every|those)\b/g, 'a full phrase'],
  [/(?<=\b(?:it|describe|test)\(')(?:what|who|none of)\b/g, 'a full statement about the behaviour'],
]

/** Pages that are written by hand. What is added to them must be taken out elsewhere. */
const PAGE = /^(?:README\.md|docs\/[^/]+\.md|(?:packages\/[^/]+|sandbox)\/README\.md)$/
const MOST_WORDS = 28_600
/** It has every statement of the service, so it is counted alone. */
const SPECIFICATION = 'docs/specification.md'
const MOST_WORDS_OF_SPECIFICATION = 4_500

const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'])
const files = listed
  .toString()
  .split('\0')
  .filter((file) => existsSync(file) && !LEFT_OUT.test(file))
const found = files.flatMap(findings)
const pages = files.filter((file) => PAGE.test(file) && file !== SPECIFICATION)
checkWords('The pages', pages, MOST_WORDS)
checkWords(SPECIFICATION, [SPECIFICATION], MOST_WORDS_OF_SPECIFICATION)
if (found.length > 0) {
  console.error(found.join('\n'))
  process.exitCode = 1
}

/**
 * @param {string} name
 * @param {readonly string[]} counted
 * @param {number} most
 */
function checkWords(name, counted, most) {
  const words = counted.reduce((sum, file) => sum + wordsOf(file), 0)
  if (words > most) found.push(`${name}: ${words} words -> at most ${most}`)
}

/** @param {string} file */
function wordsOf(file) {
  return readFileSync(file, 'utf8').match(/\S+/g)?.length ?? 0
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
