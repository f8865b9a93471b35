import type { Member, Scalar } from './tree.js'

type Comparison = (a: Member, b: Member) => number

/**
 * The members by the code points of their keys, and of a repeated key the last (S6.4).
 *
 * The order of UTF-8 bytes is the order of code points, so keys are compared as they stand. Only an object that has
 * a key with an escape has its keys decoded.
 */
export function inKeyOrder(members: Member[], bytes: Uint8Array): readonly Member[] {
  const compare = members.some(({ key }) => key.escaped) ? byDecodedKey(members, bytes) : bySource(bytes)
  let previous: Member | undefined
  for (const member of members) {
    if (previous !== undefined && compare(previous, member) >= 0) return sorted(members, compare)
    previous = member
  }
  return members
}

function sorted(members: Member[], compare: Comparison): readonly Member[] {
  const seen = { equal: false }
  // The sort is stable: of equal keys, the last in the source is the last here.
  members.sort((a, b) => {
    const difference = compare(a, b)
    if (difference === 0) seen.equal = true
    return difference
  })
  if (!seen.equal) return members
  return members.filter((member, index) => {
    const next = members[index + 1]
    return next === undefined || compare(member, next) !== 0
  })
}

function bySource(bytes: Uint8Array): Comparison {
  return (a, b) => {
    const startA = a.key.start
    const startB = b.key.start
    const lengthA = a.key.end - startA
    const lengthB = b.key.end - startB
    // Between the quotes.
    const end = Math.min(lengthA, lengthB) - 1
    for (let i = 1; i < end; i++) {
      const difference = bytes[startA + i]! - bytes[startB + i]!
      if (difference !== 0) return difference
    }
    return lengthA - lengthB
  }
}

function byDecodedKey(members: readonly Member[], bytes: Uint8Array): Comparison {
  const keys = new Map(members.map(({ key }) => [key, decodeString(key, bytes)]))
  return (a, b) => compareCodePoints(keys.get(a.key)!, keys.get(b.key)!)
}

/** The text that a string token stands for. The quotes keep a leading U+FEFF from being taken for a byte order mark. */
export function decodeString(token: Scalar, bytes: Uint8Array): string {
  return JSON.parse(new TextDecoder().decode(bytes.subarray(token.start, token.end))) as string
}

/** Unlike `<`, which compares UTF-16 code units, so that U+1F600 comes after U+FFFD. */
function compareCodePoints(a: string, b: string): number {
  for (let i = 0; ; i++) {
    const pointA = a.codePointAt(i) ?? -1
    const pointB = b.codePointAt(i) ?? -1
    if (pointA !== pointB || pointA === -1) return pointA - pointB
    // The second half of a pair.
    if (pointA > 0xffff) i++
  }
}
