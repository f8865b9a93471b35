import { parseJson } from '../../json/text.js'
import type { Effort } from '../effort.js'
import { numberSpellings } from './numbers.js'
import { piecesOf, type Piece } from './pieces.js'
import { print, type Layout } from './print.js'
import { asItStands, spell, stringSpellings, type Spelling } from './spelling.js'
import { inOrder, tokensOf, treeOf, type KeyOrder, type Tree } from './tree.js'

/** Prints in a layout, or nothing where that makes it too long. */
type Printer = (layout: Layout) => string | undefined

/** The JSON text of a body, taken apart so that it can be printed as others would have printed it. */
export class JsonText {
  readonly #text: string
  readonly #pieces: readonly Piece[]
  readonly #tokens: readonly Piece[]
  readonly strings: readonly Spelling[]
  readonly numbers: readonly Spelling[]

  readonly #effort: Effort

  private constructor(text: string, effort: Effort) {
    this.#text = text
    this.#effort = effort
    this.#pieces = piecesOf(text)
    this.#tokens = this.#pieces.filter(({ kind }) => kind !== 'space')
    this.strings = stringSpellings(this.#tokens)
    this.numbers = numberSpellings(this.#tokens)
    this.#work(150)
  }

  /** Nothing, where it is not JSON, or nested too deep. A byte order mark is passed over. */
  static of(bytes: Uint8Array, effort: Effort): JsonText | undefined {
    try {
      parseJson(bytes)
    } catch {
      return undefined
    }
    return new JsonText(new TextDecoder().decode(bytes), effort)
  }

  get tree(): Tree {
    this.#work(50)
    return treeOf(this.#tokens)
  }

  /** What stands between its tokens. */
  get layout(): 'indented' | 'compact' | 'spaced' {
    const last = this.#pieces.length - 1
    const spaces = this.#pieces.filter(({ kind }, at) => kind === 'space' && at > 0 && at < last)
    if (spaces.length === 0) return 'compact'
    return spaces.some(({ text }) => /[\n\r]/.test(text)) ? 'indented' : 'spaced'
  }

  /** In another layout, or nothing where that makes it too long. */
  print(layout: Layout, spelling: Spelling = asItStands): string | undefined {
    this.#work(50)
    return print(this.#tokens, layout, spelling, this.#limit)
  }

  /** With its keys in another order; gives what prints it. */
  inOrder(order: KeyOrder, isDeep = true): Printer {
    this.#work(200)
    return this.part(inOrder(this.tree, order, isDeep))
  }

  /** A part of it; gives what prints it. */
  part(tree: Tree): Printer {
    const tokens = tokensOf(tree)
    this.#work(100)
    return (layout) => {
      this.#work(50)
      return print(tokens, layout, asItStands, this.#limit)
    }
  }

  /** In another spelling, with the white space as it stands. */
  respell(spelling: Spelling): string {
    this.#work(30)
    const parts: string[] = []
    let at = 0
    for (const piece of this.#pieces) {
      const spelled = spell(spelling, piece)
      if (spelled === piece.text) continue
      parts.push(this.#text.slice(at, piece.start), spelled)
      at = piece.start + piece.text.length
    }
    parts.push(this.#text.slice(at))
    return parts.join('')
  }

  #work(nanosecondsPerPiece: number): void {
    this.#effort.spend(nanosecondsPerPiece * this.#pieces.length)
  }

  /** Indenting may lengthen a text by its depth, and so beyond any budget. */
  get #limit(): number {
    return 8 * this.#text.length + 1024
  }
}
