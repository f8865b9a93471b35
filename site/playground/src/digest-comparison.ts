import { counted } from './words.js'

/** A stretch of a digest. */
export interface DigitRun {
  readonly text: string
  readonly differs: boolean
}

/** The digest that was computed next to the value of the header. */
export interface DigestComparison {
  readonly matches: boolean
  /** Where they differ, in a sentence. */
  readonly sentence: string
  readonly computed: readonly DigitRun[]
  readonly received: readonly DigitRun[]
}

/** @param received the value in the header, as it was sent */
export function compareDigests(computed: string, received: string): DigestComparison {
  return {
    matches: computed === received,
    sentence: sentenceOn(computed, received),
    computed: runs(computed, received),
    received: runs(received, computed),
  }
}

function sentenceOn(computed: string, received: string): string {
  if (received === computed) return 'The value in the header is the same.'
  if (received.toLowerCase() === computed) {
    return 'The value in the header has the same digits in upper case; the header must have lower case.'
  }
  if (received.includes(computed)) return 'The value in the header has other characters around this digest.'
  const first = firstDifference(computed, received)
  if (first === received.length) {
    return `The value in the header is cut: its ${counted(first, 'digit')} are the first of this digest.`
  }
  const different = Array.from(computed).filter((digit, at) => digit !== received[at]).length
  return `The value in the header differs in ${different} of ${computed.length} digits, from digit ${first + 1} on.`
}

function firstDifference(a: string, b: string): number {
  let at = 0
  while (at < a.length && a[at] === b[at]) at++
  return at
}

/** The text in stretches that are equal to the other, or differ from it. */
function runs(text: string, other: string): readonly DigitRun[] {
  const list: DigitRun[] = []
  let start = 0
  for (let at = 1; at <= text.length; at++) {
    const differs = text[start] !== other[start]
    if (at < text.length && (text[at] !== other[at]) === differs) continue
    list.push({ text: text.slice(start, at), differs })
    start = at
  }
  return list
}
