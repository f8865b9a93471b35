import type { Piece } from './pieces.js'

/** A JSON value whose tokens stand as they stood in the text. */
export type Tree =
  | { readonly kind: 'token'; readonly token: Piece }
  | { readonly kind: 'array'; readonly items: readonly Tree[] }
  | { readonly kind: 'object'; readonly members: readonly Member[] }

export interface Member {
  readonly key: Piece
  readonly value: Tree
}

/** @param tokens of a text that `JSON.parse` takes, nested no deeper than an event may be */
export function treeOf(tokens: readonly Piece[]): Tree {
  let at = 0

  function value(): Tree {
    const token = tokens[at++]!
    if (token.text === '{') return { kind: 'object', members: list('}', member) }
    if (token.text === '[') return { kind: 'array', items: list(']', value) }
    return { kind: 'token', token }
  }

  function list<Item>(end: string, read: () => Item): readonly Item[] {
    const items: Item[] = []
    while (tokens[at]!.text !== end) {
      items.push(read())
      if (tokens[at]!.text === ',') at++
    }
    at++
    return items
  }

  function member(): Member {
    const key = tokens[at]!
    at += 2
    return { key, value: value() }
  }

  return value()
}

/** The tokens of a tree; the inverse of {@link treeOf}. */
export function tokensOf(tree: Tree): readonly Piece[] {
  const tokens: Piece[] = []

  function list<Item>(open: Piece, close: Piece, items: readonly Item[], put: (item: Item) => void): void {
    tokens.push(open)
    items.forEach((item, index) => {
      if (index > 0) tokens.push(COMMA)
      put(item)
    })
    tokens.push(close)
  }

  function value(tree: Tree): void {
    if (tree.kind === 'token') tokens.push(tree.token)
    else if (tree.kind === 'array') list(OPEN_ARRAY, CLOSE_ARRAY, tree.items, value)
    else list(OPEN_OBJECT, CLOSE_OBJECT, tree.members, member)
  }

  function member({ key, value: of }: Member): void {
    tokens.push(key, COLON)
    value(of)
  }

  value(tree)
  return tokens
}

/** Which of two keys comes first. They are given as the texts that they stand for. */
export type KeyOrder = (a: string, b: string) => number

/** The members of every object in another order; with `isDeep` false, only those of the outermost. */
export function inOrder(tree: Tree, order: KeyOrder, isDeep = true): Tree {
  const inner = (value: Tree) => (isDeep ? inOrder(value, order) : value)
  switch (tree.kind) {
    case 'token':
      return tree
    case 'array':
      return { kind: 'array', items: tree.items.map(inner) }
    case 'object': {
      const members = tree.members.map(({ key, value }) => ({
        key,
        value: inner(value),
        name: JSON.parse(key.text) as string,
      }))
      return { kind: 'object', members: members.sort((a, b) => order(a.name, b.name)) }
    }
  }
}

function mark(text: string): Piece {
  return { kind: 'mark', text, start: 0, key: '' }
}

const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_ARRAY, CLOSE_ARRAY, COMMA, COLON] = [
  mark('{'),
  mark('}'),
  mark('['),
  mark(']'),
  mark(','),
  mark(':'),
]
