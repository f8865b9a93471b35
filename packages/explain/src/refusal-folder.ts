import { randomUUID } from 'node:crypto'
import { lstat, mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

interface RecordedFile {
  /** Starts with the time, so that the names are in order. */
  readonly name: string
  readonly code: string
  readonly size: number
}

const NAME = /^[-+\dTZ.]+_(ERR_[A-Z_]+)_[0-9a-f-]{36}\.http$/
const MAX_BYTES = 16 * 1024 * 1024

/** Writes refusals into a folder, and removes old ones. Other files in the folder are left alone. */
export class RefusalFolder {
  readonly #folder: string
  readonly #keep: number
  #writing = Promise.resolve()
  #hasWarned = false

  constructor(folder: string, keep: number) {
    this.#folder = folder
    this.#keep = keep
  }

  /** Writes a request that was refused at a time in milliseconds. If it fails, the operator is warned; it never rejects. */
  add(code: string, at: number, request: Uint8Array): Promise<void> {
    this.#writing = this.#writing
      .then(() => this.#write(code, at, request))
      .catch((error: unknown) => {
        if (this.#hasWarned) return
        this.#hasWarned = true
        const message = `A refusal was not recorded in ${this.#folder}; the response is not affected`
        process.emitWarning(message, { type: 'ServiceSignatureWarning', detail: String(error) })
      })
    return this.#writing
  }

  async #write(code: string, at: number, request: Uint8Array): Promise<void> {
    if (request.length > MAX_BYTES) throw new RangeError(`It has ${request.length} bytes, more than 16 MiB`)
    await mkdir(this.#folder, { recursive: true, mode: 0o700 })
    const name = `${new Date(at).toISOString().replaceAll(':', '-')}_${code}_${randomUUID()}.http`
    await this.#makeRoom({ name, code, size: request.length })
    const path = join(this.#folder, name)
    try {
      // "wx" follows no symbolic link.
      await writeFile(path, request, { flag: 'wx', mode: 0o600 })
    } catch (error) {
      // A disk that is full leaves a part of it.
      await rm(path, { force: true })
      throw error
    }
    // Another process may have written at the same time.
    await this.#makeRoom()
  }

  /** Removes files until the rest is within the limits, with the next one, if it is given. */
  async #makeRoom(...next: readonly RecordedFile[]): Promise<void> {
    const files = [...(await this.#list()), ...next]
    const isTooLarge = () => files.reduce((total, { size }) => total + size, 0) > MAX_BYTES
    while (files.length > this.#keep || isTooLarge()) {
      const [{ name }] = files.splice(oldestOfMostFrequent(files), 1) as [RecordedFile]
      await rm(join(this.#folder, name), { force: true })
    }
  }

  /** The files of this class, the oldest first. */
  async #list(): Promise<readonly RecordedFile[]> {
    const names = (await readdir(this.#folder)).filter((name) => NAME.test(name)).sort()
    const files = await Promise.all(
      names.map(async (name) => {
        // Another process may have removed it by now.
        const file = await lstat(join(this.#folder, name)).catch(() => undefined)
        return file?.isFile() === true ? [{ name, code: NAME.exec(name)![1]!, size: file.size }] : []
      }),
    )
    return files.flat()
  }
}

/** So the code of a flood does not displace the others. */
function oldestOfMostFrequent(files: readonly RecordedFile[]): number {
  const counts = new Map<string, number>()
  for (const { code } of files) counts.set(code, (counts.get(code) ?? 0) + 1)
  const most = Math.max(...counts.values())
  return files.findIndex(({ code }) => counts.get(code) === most)
}
