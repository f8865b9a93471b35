import { counted, joinedWords } from './words.js'

/** A stretch of the body that is signed, or is removed before. */
export interface Stretch {
  readonly text: string
  readonly isRemoved: boolean
}

/** The body with the white space that a version removes before it signs. */
export interface RemovedSpace {
  readonly stretches: readonly Stretch[]
  /** How much was removed, in a sentence. */
  readonly sentence: string
}

/** What v1 removes as bytes: spaces and line breaks, not tabs. */
export const V1_REMOVES: readonly number[] = [0x20, 0x0a, 0x0d]
/** What v2 removes of JSON text, where tabs only occur between tokens. */
export const V2_REMOVES: readonly number[] = [...V1_REMOVES, 0x09]

/** In UTF-8, white space is never part of another character, so the body can be split there. */
export function removedSpace(body: Uint8Array, removed: readonly number[]): RemovedSpace {
  const stretches: Stretch[] = []
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  let start = 0
  for (let at = 0; at <= body.length; at++) {
    if (at < body.length && removed.includes(body[at]!) === removed.includes(body[start]!)) continue
    if (at === start) break
    const text = decoder.decode(body.subarray(start, at))
    stretches.push({ text, isRemoved: removed.includes(body[start]!) })
    start = at
  }
  return { stretches, sentence: sentenceOf(body, removed) }
}

function sentenceOf(body: Uint8Array, removed: readonly number[]): string {
  const count = (...bytes: number[]) =>
    removed.some((byte) => bytes.includes(byte)) ? body.filter((byte) => bytes.includes(byte)).length : 0
  const amounts = [
    [count(0x20), 'space'],
    [count(0x0a), 'line feed'],
    [count(0x0d), 'carriage return'],
    [count(0x09), 'tab'],
  ] as const
  const words = amounts.filter(([amount]) => amount > 0).map(([amount, noun]) => counted(amount, noun))
  if (words.length === 0) return 'There is no white space to remove.'
  const within = spacesInStrings(body)
  const inside = within === 0 ? '' : ` (${within.toLocaleString('en')} within strings)`
  const total = amounts.reduce((sum, [amount]) => sum + amount, 0)
  return `${joinedWords(words)} ${total === 1 ? 'is' : 'are'} removed${inside}.`
}

/** How many spaces are between quotes. */
function spacesInStrings(body: Uint8Array): number {
  let isInString = false
  let count = 0
  for (let at = 0; at < body.length; at++) {
    const byte = body[at]
    if (byte === 0x22 /* " */) isInString = !isInString
    else if (byte === 0x5c /* \ */ && isInString) at++
    else if (byte === 0x20 && isInString) count++
  }
  return count
}
