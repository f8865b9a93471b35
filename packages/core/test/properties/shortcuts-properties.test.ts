import { expect, it } from 'vitest'
import { parseJson } from '../../src/signature/canonical-json/parse-json.js'
import { parseSignatureHeader, readElements } from '../../src/signature/header.js'
import { searchTexts } from './guided.js'

const T = '1743090080'
const [A, B, C] = ['a0'.repeat(32), 'b1'.repeat(32), 'c2'.repeat(32)]

/** The value, or the message of the error, as text. */
function outcome(call: () => unknown): string {
  try {
    return JSON.stringify(call())
  } catch (error) {
    return String(error)
  }
}

it('the usual header is read as the grammar reads it', () => {
  const seeds = [
    `t=${T},v1=${A},v2=${B},v3=${C}`,
    `t=${T},v3=${C}`,
    `t=${T},v2=${B},v1=${A}`,
    `t=${T} ,\tv3=${C},v4=x`,
    `t=${T},t=${T},v3=${C}`,
    `t=1234567890123,v3=${C}`,
    `t=123456789,v3=${C}`,
    `t=${T},v3=${C.slice(1)}g`,
    `t=${T},v4=${C}`,
    `t=${T},v3=${C.slice(1)}`,
    `t=${T},v3=${C}${',x=1'.repeat(14)}`,
    '',
  ]
  const check = (text: string) => {
    const [read, strict] = [parseSignatureHeader, readElements].map((parse) => outcome(() => parse(text)))
    if (read !== strict) expect.fail(`${JSON.stringify(text)} is ${read}, and ${strict} by the grammar`)
  }
  const alphabet = '=,tv123 \t09afgAFx\n\r\0\u2028'
  const checked = searchTexts('headers', seeds, check, {
    source: 'signature/header.ts',
    count: 20_000,
    alphabet,
  })
  console.log(`headers: ${checked}`)
})

it('a body with few brackets is not walked, and has the answer of one that is', () => {
  const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)
  const seeds = [
    '{"a":[{"b":"[{"}]}',
    nested(511),
    nested(512),
    nested(513),
    `{"a":${nested(511)}}`,
    `{"a":${nested(512)}}`,
    `{"a":"${'['.repeat(600)}"}`,
    `[${'{},'.repeat(600)}1]`,
    `${'{"a":'.repeat(513)}1${'}'.repeat(513)}`,
    `${'[1,{"a":'.repeat(256)}1${'}]'.repeat(256)}`,
  ]
  const check = (text: string) => {
    const read = outcome(() => parseJson(Buffer.from(text)))
    const walked = outcome(() => {
      const value: unknown = JSON.parse(text)
      if (depthOf(value) > 512) throw new Error('too deep')
      return value
    })
    const isSame = read.startsWith('WebhookError')
      ? read.includes('nested deeper') === walked.includes('too deep') && walked.includes('Error: ')
      : read === walked
    if (!isSame) expect.fail(`${JSON.stringify(text)} is ${read}, and ${walked} when it is walked`)
  }
  const checked = searchTexts('bodies', seeds, check, {
    source: 'core/src/signature/canonical-json/parse-json.ts',
    count: 2000,
    alphabet: '[]{}",:a1 \\',
  })
  console.log(`bodies: ${checked}`)
})

/** How deep a value is nested, counted level by level. */
function depthOf(value: unknown): number {
  let depth = 0
  let level = [value]
  while ((level = level.filter((each) => typeof each === 'object' && each !== null)).length > 0) {
    depth++
    level = level.flatMap((each) => Object.values(each as object) as unknown[])
  }
  return depth
}
