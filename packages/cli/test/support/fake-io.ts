import { EventEmitter, once } from 'node:events'
import { Readable, Writable } from 'node:stream'
import { untilSignal, type Io } from '../../src/terminal/io.js'

/** The streams and signals of a process, for a command that runs until a signal. */
export class FakeIo extends EventEmitter implements Io {
  readonly out: string[] = []
  readonly err: string[] = []
  readonly stdin = Readable.from([])
  readonly stdout = this.#collect(this.out)
  readonly stderr = this.#collect(this.err)
  readonly env: Io['env']
  readonly isTerminal = false
  readonly hasColor: boolean
  readonly now = Date.now
  readonly untilSignal = () => untilSignal(this)

  constructor({ hasColor = false, env = {} }: { hasColor?: boolean; env?: Io['env'] } = {}) {
    super()
    this.env = env
    this.hasColor = hasColor
  }

  get text(): string {
    return this.out.join('')
  }

  /** Resolves when so much was written. */
  async until(count: number): Promise<void> {
    while (this.out.length < count) await once(this, 'written')
  }

  #collect(texts: string[]): Writable {
    return new Writable({
      decodeStrings: false,
      write: (text: string, _encoding, done) => {
        texts.push(text)
        this.emit('written')
        done()
      },
    })
  }
}
