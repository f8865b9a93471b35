import {
  closeSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { randomUUID } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TextRef } from './records.js'

/** Only the user who runs the sandbox may read what it stores: keys and the secret are in it. */
export const PRIVATE_FILE = 0o600

/** How much is collected before it is written, and how much is read at once. */
const BUFFER_BYTES = 256 * 1024

const NEWLINE = 0x0a

/**
 * A file that only grows. It has lines of JSON, which are read when it is opened, and texts, which stay in it: a few thousand
 * bodies would fill the memory. Before each text there is a line with its number of bytes, and after it a line break.
 */
export class Journal {
  #path: string
  #file: number
  /** How many bytes are in the file. */
  #written: number
  /** The end of the journal, which is not in the file yet. New texts are read most. */
  readonly #tail = Buffer.allocUnsafe(BUFFER_BYTES)
  #tailBytes = 0
  /** A part of the file: texts that lie near each other, such as those of a list, are read together. */
  readonly #window = Buffer.allocUnsafe(BUFFER_BYTES)
  #windowStart = 0
  #windowBytes = 0

  /** `flags`: as for `fs.open`. */
  constructor(path: string, flags: 'r+' | 'w+' | 'wx+') {
    this.#path = path
    this.#file = openSync(path, flags, PRIVATE_FILE)
    this.#written = fstatSync(this.#file).size
  }

  /** A journal that ends with the process, however that ends: its file has no name any more. */
  static temporary(): Journal {
    const journal = new Journal(join(tmpdir(), `service-signature-sandbox-${randomUUID()}`), 'wx+')
    rmSync(journal.#path)
    return journal
  }

  get size(): number {
    return this.#written + this.#tailBytes
  }

  /** Adds a line, which may not be in the file yet. */
  addLine(line: string): void {
    this.#add(Buffer.from(`${line}\n`))
  }

  /** Adds a line. When this returns, everything is in the file. If it throws, the line is not part of the journal. */
  writeLine(line: string): void {
    const bytes = Buffer.from(`${line}\n`)
    this.#add(bytes)
    try {
      this.flush()
    } catch (error) {
      this.#tailBytes -= bytes.length
      throw error
    }
  }

  /** Adds a text, which may not be in the file yet. */
  addText(text: string | Uint8Array): TextRef {
    const bytes = typeof text === 'string' ? Buffer.from(text) : text
    const header = Buffer.from(`${bytes.length}\n`)
    const at = this.size + header.length
    this.#add(Buffer.concat([header, bytes, Buffer.of(NEWLINE)]))
    return { at, bytes: bytes.length }
  }

  copyText(from: Journal, ref: TextRef): TextRef {
    return this.addText(from.#bytesOf(ref))
  }

  #add(entry: Buffer): void {
    if (entry.length > BUFFER_BYTES - this.#tailBytes) this.flush()
    if (entry.length > BUFFER_BYTES) {
      this.#write(entry)
      return
    }
    this.#tail.set(entry, this.#tailBytes)
    this.#tailBytes += entry.length
  }

  /** Writes what is not in the file yet. */
  flush(): void {
    this.#write(this.#tail.subarray(0, this.#tailBytes))
    this.#tailBytes = 0
  }

  #write(bytes: Uint8Array): void {
    try {
      for (let done = 0; done < bytes.length;) {
        done += writeSync(this.#file, bytes, done, bytes.length - done, this.#written + done)
      }
    } catch (error) {
      // A part of it would follow the next entry otherwise, if that is shorter.
      ftruncateSync(this.#file, this.#written)
      throw error
    }
    this.#written += bytes.length
  }

  readText(ref: TextRef): string {
    return this.#bytesOf(ref).toString()
  }

  /** They are valid until the next call. */
  #bytesOf({ at, bytes }: TextRef): Buffer {
    const inTail = at - this.#written
    if (inTail >= 0) return this.#tail.subarray(inTail, inTail + bytes)
    if (bytes > BUFFER_BYTES) return this.#read(Buffer.allocUnsafe(bytes), at)
    if (at < this.#windowStart || at + bytes > this.#windowStart + this.#windowBytes) {
      this.#moveWindow(at, bytes)
    }
    return this.#window.subarray(at - this.#windowStart, at - this.#windowStart + bytes)
  }

  /** Most of the window is in the direction of the last move, the rest is for texts that are not in their order. */
  #moveWindow(at: number, bytes: number): void {
    const before = (BUFFER_BYTES / 4) * (at < this.#windowStart ? 3 : 1)
    const start = Math.max(0, at + bytes - BUFFER_BYTES, at - before)
    this.#windowBytes = 0
    const length = Math.min(BUFFER_BYTES, this.#written - start)
    this.#read(this.#window.subarray(0, length), start)
    this.#windowStart = start
    this.#windowBytes = length
  }

  #read(target: Buffer, at: number): Buffer {
    for (let done = 0; done < target.length;) {
      const more = readSync(this.#file, target, done, target.length - done, at + done)
      if (more === 0) throw new Error(`${this.#path} has become shorter`)
      done += more
    }
    return target
  }

  /** The first line, if it is whole. */
  firstLine(): string | undefined {
    return this.#lineAt(0)?.toString()
  }

  /** Passes on each line. Then it removes what a killed process has left of an entry at the end. */
  readLines(onLine: (line: string, at: number) => void): void {
    let at = 0
    for (let bytes = this.#lineAt(at); bytes !== undefined; bytes = this.#lineAt(at)) {
      const line = bytes.toString()
      let end = at + bytes.length + 1
      if (/^\d+$/.test(line)) end += Number(line) + 1
      else onLine(line, at)
      if (end > this.#written) break
      at = end
    }
    ftruncateSync(this.#file, at)
    this.#written = at
  }

  /** Undefined if no line ends after this place. */
  #lineAt(at: number): Buffer | undefined {
    for (let length = BUFFER_BYTES / 512; ; length *= 8) {
      const bytes = this.#bytesOf({ at, bytes: Math.min(length, this.#written - at) })
      const end = bytes.indexOf(NEWLINE)
      if (end >= 0) return bytes.subarray(0, end)
      if (bytes.length < length) return undefined
    }
  }

  /** Writes everything, and puts the file in place of another. */
  moveTo(path: string): void {
    this.flush()
    renameSync(this.#path, path)
    this.#path = path
  }

  /** Removes a journal that is not to be used. */
  discard(): void {
    this.close()
    rmSync(this.#path, { force: true })
  }

  /** Whatever is read or written after that fails. */
  close(): void {
    closeSync(this.#file)
    this.#file = -1
  }
}
