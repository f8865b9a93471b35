import { closeSync, constants, fstatSync, openSync, readSync, writeSync } from 'node:fs'
import type { TextRef } from './records.js'

/** Only the user who runs the sandbox may read what it stores: keys and the secret are in it. */
export const PRIVATE_FILE = 0o600

/** Texts that lie near each other, such as those of a list, are read together. */
const WINDOW_BYTES = 64 * 1024

/** So many bytes are collected before they are written. */
const TAIL_BYTES = 64 * 1024

/** Texts, one after the other in a file. They stay out of the memory, which a few thousand bodies would fill. */
export class TextFile {
  readonly path: string
  readonly #file: number
  /** The end of the texts, which is not in the file yet. What was just written is what is read most. */
  readonly #tail = Buffer.allocUnsafe(TAIL_BYTES)
  #tailBytes = 0
  readonly #window = Buffer.allocUnsafe(WINDOW_BYTES)
  #windowStart = 0
  #windowBytes = 0
  /** What was last looked for in the window, and whether it is there. */
  #windowPattern: RegExp | undefined
  #windowMatches = false
  /** How many bytes are in the file. */
  #written: number

  constructor(path: string) {
    this.path = path
    this.#file = openSync(path, constants.O_RDWR | constants.O_CREAT, PRIVATE_FILE)
    this.#written = fstatSync(this.#file).size
  }

  get size(): number {
    return this.#written + this.#tailBytes
  }

  append(bytes: Uint8Array): TextRef {
    if (bytes.length > TAIL_BYTES - this.#tailBytes) this.flush()
    const ref = { at: this.size, bytes: bytes.length }
    if (bytes.length > TAIL_BYTES) {
      this.#write(bytes)
      return ref
    }
    this.#tail.set(bytes, this.#tailBytes)
    this.#tailBytes += bytes.length
    return ref
  }

  /** Writes what is not in the file yet. */
  flush(): void {
    if (this.#tailBytes === 0) return
    this.#write(this.#tail.subarray(0, this.#tailBytes))
    this.#tailBytes = 0
  }

  /** At a place of its own, so that the next one overwrites what is left of one that failed. */
  #write(bytes: Uint8Array): void {
    for (let written = 0; written < bytes.length;) {
      written += writeSync(this.#file, bytes, written, bytes.length - written, this.#written + written)
    }
    this.#written += bytes.length
  }

  read(ref: TextRef): string {
    const { at, bytes } = ref
    const inTail = at - this.#written
    if (inTail >= 0) return this.#tail.toString('utf8', inTail, inTail + bytes)
    if (bytes > WINDOW_BYTES) return this.bytesOf(ref).toString()
    const start = this.#placeInWindow(ref)
    return this.#window.toString('utf8', start, start + bytes)
  }

  /** Whether a text has a match of a pattern without flags that remember. If the window around it has no match, it is not read. */
  matches(ref: TextRef, pattern: RegExp): boolean {
    if (ref.at >= this.#written || ref.bytes > WINDOW_BYTES) return pattern.test(this.read(ref))
    this.#placeInWindow(ref)
    if (this.#windowPattern !== pattern) {
      this.#windowPattern = pattern
      this.#windowMatches = pattern.test(this.#window.toString('utf8', 0, this.#windowBytes))
    }
    return this.#windowMatches && pattern.test(this.read(ref))
  }

  bytesOf(ref: TextRef): Buffer {
    const { at, bytes } = ref
    if (at >= this.#written)
      return Buffer.from(this.#tail.subarray(at - this.#written, at - this.#written + bytes))
    if (bytes > WINDOW_BYTES) return this.#readBytes(Buffer.allocUnsafe(bytes), at)
    const start = this.#placeInWindow(ref)
    return Buffer.from(this.#window.subarray(start, start + bytes))
  }

  #placeInWindow({ at, bytes }: TextRef): number {
    if (at < this.#windowStart || at + bytes > this.#windowStart + this.#windowBytes) {
      this.#moveWindow(at, bytes)
    }
    return at - this.#windowStart
  }

  /** Lists are read from their newest item, so most of the window is before the text if it goes backwards. */
  #moveWindow(at: number, bytes: number): void {
    this.#windowStart =
      at < this.#windowStart ? Math.max(0, at + bytes - WINDOW_BYTES, at - (WINDOW_BYTES / 8) * 7) : at
    const end = Math.min(this.#written, this.#windowStart + WINDOW_BYTES)
    this.#windowBytes = end - this.#windowStart
    this.#windowPattern = undefined
    this.#readBytes(this.#window.subarray(0, this.#windowBytes), this.#windowStart)
  }

  #readBytes(target: Buffer, at: number): Buffer {
    for (let read = 0; read < target.length;) {
      const more = readSync(this.#file, target, read, target.length - read, at + read)
      if (more === 0) throw new Error(`${this.path} has become shorter`)
      read += more
    }
    return target
  }

  close(): void {
    closeSync(this.#file)
  }
}
