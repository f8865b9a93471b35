import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { explain } from '../src/index.js'
import {
  causeLists,
  judge,
  KEPT_RATES,
  rateOf,
  readCases,
  resultSentence,
  type Case,
  type Judgment,
} from './corpus/corpus.js'

const page = readFileSync(new URL('../../../docs/explain.md', import.meta.url), 'utf8')
const cases = readCases(new URL('corpus/', import.meta.url))

/** Deliveries whose fault is not found, or not named exactly. This list may only get shorter. */
const MISSES: readonly string[] = [
  'invented, wrapped: express.urlencoded() took it as a form, qs.stringify(req.body) (transaction)',
  'invented, text: emoji removed by a sanitiser (intent-utf8)',
  'invented, text: a shell\'s printf "$BODY": back slashes interpreted (refund)',
  'invented, key: prefix taken for a label and removed (transaction)',
  'invented, key: secret lower-cased (transaction)',
  'node, text: an emoji removed by a filter of astral characters (intent-utf8)',
  'node, printed: one time revived as a Date (transaction)',
  'node, text: setEncoding("ascii") (intent-utf8)',
  'python, wrapped: decompressed, and signed compressed (compressed)',
  "python, text: encode('ascii', 'ignore') (intent-utf8)",
]

describe('the recorded deliveries', () => {
  it('are at least 150, each with an id of its own', () => {
    expect(cases.length).toBeGreaterThanOrEqual(150)
    expect(new Set(cases.map(({ id }) => id)).size).toBe(cases.length)
  })

  it('are explained by the right first line, except for the known misses, without a wrong claim, as docs/explain.md says', async () => {
    const judged: (Case & Judgment)[] = []
    const missed: string[] = []
    const wrong: string[] = []
    for (const each of cases) {
      // The speed of the machine must not matter.
      const report = await explain(each.bytes, each.value, {
        ...each.options,
        timeLimitMilliseconds: Infinity,
      })
      const { isRight, wrongClaims } = judge(each, report)
      judged.push({ ...each, isRight, wrongClaims })
      if (!isRight) missed.push(each.id)
      if (wrongClaims.length > 0) wrong.push(`${each.id}: ${wrongClaims.join(', ')}`)
    }
    expect(wrong).toEqual([])
    expect(missed.sort()).toEqual([...MISSES].sort())
    expect(rateOf(judged.filter(({ isInvented }) => !isInvented))).toBeGreaterThanOrEqual(KEPT_RATES.recorded)
    expect(rateOf(judged.filter(({ isInvented }) => isInvented))).toBeGreaterThanOrEqual(KEPT_RATES.invented)
    expect(page.replaceAll(/\s+/g, ' ')).toContain(resultSentence(judged))
  })

  it.each(Object.entries(causeLists()))(
    'of docs/explain.md, the list of what is %s has every cause',
    (_, names) => {
      const lists = page.split('\n\n').map((part) => part.match(/(?<=^- `)[\w-]+(?=`)/gm) ?? [])
      expect(lists).toContainEqual(names)
    },
  )
})
