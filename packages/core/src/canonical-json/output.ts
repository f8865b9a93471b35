/** A stretch of the output. */
export interface Segment {
  readonly from: number
  readonly to: number
}

/** Bytes that are written from start to end. Whoever writes to `bytes` by hand keeps to what was reserved. */
export class Output {
  bytes: Uint8Array
  length = 0

  constructor(capacity: number) {
    this.bytes = new Uint8Array(capacity)
  }

  reserve(count: number): void {
    // Stryker disable next-line EqualityOperator: growing when the bytes fit exactly does not change the output.
    if (this.length + count <= this.bytes.length) return
    const larger = new Uint8Array(2 * (this.length + count))
    larger.set(this.written())
    this.bytes = larger
  }

  /** Has these segments in this order, instead of what stands there from `from` on. */
  rearrange(from: number, segments: readonly Segment[]): void {
    const end = this.length
    const shift = end - from
    this.reserve(shift)
    this.bytes.copyWithin(end, from, end)
    this.length = from
    for (const segment of segments) {
      this.bytes.copyWithin(this.length, segment.from + shift, segment.to + shift)
      this.length += segment.to - segment.from
    }
  }

  written(): Uint8Array {
    return this.bytes.subarray(0, this.length)
  }
}

/** A member of an object: where its key stands in the source, and where it is printed. */
export interface Member extends Segment {
  readonly keyStart: number
  readonly keyEnd: number
  /** Whether there is an escape in the key. */
  readonly isEscaped: boolean
}

type Comparison = (a: Member, b: Member) => number

/**
 * The members by the code points of their keys, and of a repeated key the last (S6.4); or nothing, where they stand
 * so already.
 *
 * The order of UTF-8 bytes is the order of code points, so keys are compared as they stand. Only an object that has
 * a key with an escape has its keys decoded.
 */
export function inKeyOrder(members: Member[], source: Uint8Array): readonly Member[] | undefined {
  const compare = members.some(({ isEscaped }) => isEscaped)
    ? byDecodedKey(members, source)
    : bySource(source)
  let previous: Member | undefined
  for (const member of members) {
    // Stryker disable next-line ConditionalExpression: sorting members that are in order gives the same bytes.
    if (previous !== undefined && compare(previous, member) >= 0) return sorted(members, compare)
    previous = member
  }
  return undefined
}

function sorted(members: Member[], compare: Comparison): readonly Member[] {
  // `seen` only saves the search for repeated keys when the sort met none; the search would find none either.
  // Stryker disable next-line ObjectLiteral,BooleanLiteral: a needless search changes nothing.
  const seen = { equal: false }
  // The sort is stable: of equal keys, the last in the source is the last here.
  members.sort((a, b) => {
    const difference = compare(a, b)
    // Stryker disable next-line ConditionalExpression: a needless search changes nothing.
    if (difference === 0) seen.equal = true
    return difference
  })
  // Stryker disable next-line ConditionalExpression: a needless search changes nothing.
  if (!seen.equal) return members
  return members.filter((member, index) => {
    const next = members[index + 1]
    return next === undefined || compare(member, next) !== 0
  })
}

function bySource(source: Uint8Array): Comparison {
  return (a, b) => {
    const startA = a.keyStart
    const startB = b.keyStart
    const lengthA = a.keyEnd - startA
    const lengthB = b.keyEnd - startB
    // Between the quotes.
    const end = Math.min(lengthA, lengthB) - 1
    for (let i = 1; i < end; i++) {
      const difference = source[startA + i]! - source[startB + i]!
      if (difference !== 0) return difference
    }
    return lengthA - lengthB
  }
}

function byDecodedKey(members: readonly Member[], source: Uint8Array): Comparison {
  const keys = new Map(
    members.map((member) => [member, decodeString(source.subarray(member.keyStart, member.keyEnd))]),
  )
  return (a, b) => compareCodePoints(keys.get(a)!, keys.get(b)!)
}

/** The text that a string token stands for. Its quotes keep a leading U+FEFF from being taken for a byte order mark. */
export function decodeString(token: Uint8Array): string {
  return JSON.parse(new TextDecoder().decode(token)) as string
}

/** Unlike `<`, which compares UTF-16 code units, so that U+1F600 comes after U+FFFD. */
function compareCodePoints(a: string, b: string): number {
  for (let i = 0; ; i++) {
    const pointA = a.codePointAt(i) ?? -1
    const pointB = b.codePointAt(i) ?? -1
    if (pointA !== pointB || pointA === -1) return pointA - pointB
  }
}
