/** What bodies of one kind have in common: the parts between quotation marks, with undefined where they differ. */
class Frame {
  readonly parts: readonly (string | undefined)[]
  /** The parts that all of its bodies have. */
  readonly common: string

  constructor(parts: readonly (string | undefined)[]) {
    this.parts = parts
    this.common = parts.filter((part) => part !== undefined).join(QUOTE)
  }

  /** The frame that this body has, too, if it is of the same kind. */
  including(body: readonly string[]): Frame | undefined {
    if (body.length !== this.parts.length) return undefined
    const parts = this.parts.map((part, index) => (part === body[index] ? part : undefined))
    const lost = countOf(this.parts) - countOf(parts)
    if (lost === 0) return this
    return lost <= body.length * MAX_LOST ? new Frame(parts) : undefined
  }
}

function countOf(parts: readonly (string | undefined)[]): number {
  return parts.filter((part) => part !== undefined).length
}

const QUOTE = '"'
/** The part of a body in which the next of its kind may differ. */
const MAX_LOST = 0.25
const MAX_REMEMBERED = 100
/** So that what is remembered takes little memory. */
const MAX_LENGTH = 8192

/** The frame of a body that has nothing in common with others. */
const ALONE = new Frame([undefined])

/** The frames of the latest bodies, the latest one first. */
let remembered: readonly Frame[] = []

/** The text of a body. Only that is kept in which it differs from others of its kind: about a quarter of an event. */
export class BodyText {
  readonly #frame: Frame
  /** The parts that the frame lacks. They contain no quotation mark themselves. */
  readonly #own: string

  constructor(text: string) {
    const parts = text.split(QUOTE)
    this.#frame = text.length > MAX_LENGTH ? ALONE : frameOf(parts)
    const { parts: known } = this.#frame
    this.#own =
      this.#frame === ALONE ? text : parts.filter((_, index) => known[index] === undefined).join(QUOTE)
  }

  toString(): string {
    if (this.#frame === ALONE) return this.#own
    const own = this.#own.split(QUOTE).values()
    return this.#frame.parts.map((part) => part ?? own.next().value).join(QUOTE)
  }

  // A search without a quotation mark finds in these what it finds in the body, without joining its parts first.

  /** The text that it does not share. */
  get own(): string {
    return this.#own
  }

  /** The text that others of its kind have too. */
  get shared(): string {
    return this.#frame.common
  }
}

/** The first body of a kind is kept as it is, and compared with the next one. */
function frameOf(parts: readonly string[]): Frame {
  for (const before of remembered) {
    const frame = before.including(parts)
    if (frame === undefined) continue
    if (frame !== remembered[0]) remember(frame, before)
    return frame
  }
  remember(new Frame(parts))
  return ALONE
}

function remember(frame: Frame, before?: Frame): void {
  remembered = [frame, ...remembered.filter((other) => other !== before)].slice(0, MAX_REMEMBERED)
}
