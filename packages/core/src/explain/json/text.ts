import { parseJson } from '../../json/text.js'
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

  private constructor(text: string) {
    this.#text = text
    this.#pieces = piecesOf(text)
    this.#tokens = this.#pieces.filter(({ kind }) => kind !== 'space')
    this.strings = stringSpellings(this.#tokens)
    this.numbers = numberSpellings(this.#tokens)
  }

  /** Nothing, where it is not JSON, or nested too deep. A byte order mark is passed over. */
  static of(bytes: Uint8Array): JsonText | undefined {
    try {
      parseJson(bytes)
    } catch {
      return undefined
    }
    return new JsonText(new TextDecoder().decode(bytes))
  }

  get tree(): Tree {
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
    return print(this.#tokens, layout, spelling, this.#limit)
  }

  /** With its keys in another order; gives what prints it. */
  inOrder(order: KeyOrder, isDeep = true): Printer {
    return this.part(inOrder(this.tree, order, isDeep))
  }

  /** A part of it; gives what prints it. */
  part(tree: Tree): Printer {
    const tokens = tokensOf(tree)
    return (layout) => print(tokens, layout, asItStands, this.#limit)
  }

  /** In another spelling, with the white space as it stands. */
  respell(spelling: Spelling): string {
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

  /** Indenting may lengthen a text by its depth, and so beyond any budget. */
  get #limit(): number {
    return 8 * this.#text.length + 1024
  }
}
