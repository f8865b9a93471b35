import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { repositoryPaths } from '../markdown-links.js'

const root = fileURLToPath(new URL('../../', import.meta.url))
/** Generated and recorded files, and the words of this test. */
const LEFT_OUT =
  /^docs\/api\/|(?:^|\/)package-lock\.json$|\.(?:svg|webp|jsonl)$|prose\.test\.ts$|generator\/bodies\.py$/

/** What is not written, and what is written instead. */
const RULES: readonly (readonly [RegExp, string])[] = [
  // Characters that look alike on the screen could hide a change in code that decides about money.
  [/[^\t\r\x20-\x7e]/g, 'ASCII, or an escape'],
  // Documents that readers do not have.
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

const files = [...repositoryPaths(root)].filter(
  (path) => /[^/]\.\w+$|\.ci\/\w/.test(path) && !LEFT_OUT.test(path),
)
const textOf = (file: string) => readFileSync(join(root, file), 'utf8')
const wordsOf = (file: string) => textOf(file).match(/\S+/g)?.length ?? 0

it('every file is plain technical English in ASCII', () => {
  const found = files
    .filter((file) => existsSync(join(root, file)))
    .flatMap((file) => {
      const text = textOf(file)
      return RULES.flatMap(([pattern, instead]) =>
        Array.from(text.replaceAll('\n', '\r').matchAll(pattern), ({ 0: word, index }) => {
          return `${file}:${text.slice(0, index).split('\n').length}: "${word}" -> ${instead}`
        }),
      )
    })
  expect(found).toEqual([])
})

it.each([
  [
    'for users',
    /^(?:README\.md|docs\/(?!specification)[^/]+\.md|(?:packages\/[^/]+|sandbox)\/README\.md)$/,
    21_000,
  ],
  ['for a reader of v3 alone', /^(?:README|packages\/express\/README|docs\/replay)\.md$/, 1_500],
  ['for maintainers', /^docs\/maintainers\//, 6_000],
  ['of the specification', /^docs\/specification\.md$/, 4_500],
])('the pages %s have no more words than they need', (_, pages, most) => {
  const words = files.filter((file) => pages.test(file)).reduce((sum, file) => sum + wordsOf(file), 0)
  expect(words).toBeLessThanOrEqual(most)
  expect(words).toBeGreaterThan(1_000)
})
