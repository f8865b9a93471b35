import { EventEmitter, once } from 'node:events'
import { Readable, Writable } from 'node:stream'
import { untilSignal, type Io } from '../../src/index.js'

/** What a test decides of the world around a command. */
export interface World {
  readonly stdin?: string | Uint8Array
  /** Standard input is a keyboard. */
  readonly isTyped?: boolean
  readonly env?: Io['env']
  readonly isTerminal?: boolean
  readonly hasColor?: boolean
  /** Default: lines are not wrapped. */
  readonly width?: number
  /** In seconds. Default: the clock of this machine. */
  readonly now?: number
}

/** The streams and signals of a process. A signal is an event of its name. */
export class FakeIo extends EventEmitter implements Io {
  readonly out: string[] = []
  readonly err: string[] = []
  readonly stdin: Io['stdin']
  readonly stdout = this.#collect(this.out)
  readonly stderr = this.#collect(this.err)
  readonly env: Io['env']
  readonly isTerminal: boolean
  readonly hasColor: boolean
  readonly width: number
  readonly now: () => number
  readonly untilSignal = () => untilSignal(this)

  constructor(world: World = {}) {
    super()
    const { stdin = '', isTyped = false, env = {}, isTerminal = false, hasColor = false } = world
    const { now, width = Infinity } = world
    this.stdin = Object.assign(Readable.from([Buffer.from(stdin as string)]), { isTTY: isTyped })
    this.env = env
    this.isTerminal = isTerminal
    this.hasColor = hasColor
    this.width = width
    this.now = now === undefined ? Date.now : () => now * 1000
  }

  /** Standard output. */
  get text(): string {
    return this.out.join('')
  }

  /** Standard error. */
  get errors(): string {
    return this.err.join('')
  }

  /** Resolves when this many texts were written to standard output. */
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
