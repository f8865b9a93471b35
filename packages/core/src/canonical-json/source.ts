import { isSpace } from './spaces.js'
import type { JsonNode } from './tree.js'

/** The members sorted, every token as it stands in the body, without spaces. Never longer than the body. */
export function sourceBytes(root: JsonNode, bytes: Uint8Array): Uint8Array {
  const printer = new SourcePrinter(bytes)
  printer.node(root)
  return printer.printed()
}

class SourcePrinter {
  readonly #source: Uint8Array
  readonly #target: Uint8Array
  #length = 0

  constructor(source: Uint8Array) {
    this.#source = source
    this.#target = new Uint8Array(source.length)
  }

  printed(): Uint8Array {
    return this.#target.subarray(0, this.#length)
  }

  node(node: JsonNode): void {
    switch (node.kind) {
      case 'object': {
        let separator = 0x7b // {
        if (node.members.length === 0) this.#byte(separator)
        for (const { key, value } of node.members) {
          this.#byte(separator)
          this.#token(key.start, key.end)
          this.#byte(0x3a) // :
          this.node(value)
          separator = 0x2c // ,
        }
        this.#byte(0x7d) // }
        break
      }
      case 'array': {
        let separator = 0x5b // [
        if (node.items.length === 0) this.#byte(separator)
        for (const item of node.items) {
          this.#byte(separator)
          this.node(item)
          separator = 0x2c // ,
        }
        this.#byte(0x5d) // ]
        break
      }
      default:
        this.#token(node.start, node.end)
    }
  }

  #token(start: number, end: number): void {
    const source = this.#source
    const target = this.#target
    let length = this.#length
    for (let i = start; i < end; i++) {
      const byte = source[i]!
      if (!isSpace(byte)) target[length++] = byte
    }
    this.#length = length
  }

  #byte(byte: number): void {
    this.#target[this.#length++] = byte
  }
}
