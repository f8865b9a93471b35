import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Shelf, TextRef } from './records.js'
import { TextFile } from './text-file.js'

/** The texts of some shelves, each in a file of its own: a search in bodies does not read past the answers to them. */
export class Texts {
  /** In the names of all files. */
  readonly name: string
  readonly #files: ReadonlyMap<Shelf, TextFile>

  /** Makes the files that do not exist. */
  constructor(shelves: readonly Shelf[], folder: string, name: string = randomUUID()) {
    this.name = name
    this.#files = new Map(shelves.map((shelf) => [shelf, new TextFile(join(folder, `${shelf}-${name}`))]))
  }

  /** In files that are gone with the process, however that ends: they have no name any more. */
  static temporary(shelves: readonly Shelf[]): Texts {
    const texts = new Texts(shelves, tmpdir(), `service-signature-sandbox-${randomUUID()}`)
    texts.removeFiles()
    return texts
  }

  has(shelf: Shelf): boolean {
    return this.#files.has(shelf)
  }

  get size(): number {
    let size = 0
    for (const file of this.#files.values()) size += file.size
    return size
  }

  append(shelf: Shelf, text: string): TextRef {
    return this.#files.get(shelf)!.append(Buffer.from(text))
  }

  read(shelf: Shelf, ref: TextRef): string {
    return this.#files.get(shelf)!.read(ref)
  }

  matches(shelf: Shelf, ref: TextRef, pattern: RegExp): boolean {
    return this.#files.get(shelf)!.matches(ref, pattern)
  }

  /** Appends a text of others. */
  take(from: Texts, shelf: Shelf, ref: TextRef): TextRef {
    return this.#files.get(shelf)!.append(from.#files.get(shelf)!.bytesOf(ref))
  }

  /** Whether a file is long enough to hold a text. */
  holds(shelf: Shelf, { at, bytes }: TextRef): boolean {
    return at + bytes <= this.#files.get(shelf)!.size
  }

  /** Writes what is not in the files yet. */
  flush(): void {
    for (const file of this.#files.values()) file.flush()
  }

  removeFiles(): void {
    for (const { path } of this.#files.values()) rmSync(path)
  }

  close(): void {
    for (const file of this.#files.values()) file.close()
  }
}
