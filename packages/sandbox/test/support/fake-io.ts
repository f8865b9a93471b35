import { EventEmitter, once } from 'node:events'

/** The streams, signals and environment of a process. */
export class FakeIo extends EventEmitter {
  readonly out: string[] = []
  readonly err: string[] = []
  readonly env: Readonly<Record<string, string>>
  readonly stdout
  readonly stderr = { write: (text: string) => this.err.push(text) }

  constructor({ isTTY = false, env = {} }: { isTTY?: boolean; env?: Readonly<Record<string, string>> } = {}) {
    super()
    this.env = env
    this.stdout = {
      isTTY,
      write: (text: string) => {
        this.out.push(text)
        this.emit('written')
      },
    }
  }

  get text(): string {
    return this.out.join('')
  }

  /** Resolves when so much was written. */
  async until(count: number): Promise<void> {
    while (this.out.length < count) await once(this, 'written')
  }
}
