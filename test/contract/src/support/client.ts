import { EventEmitter, once } from 'node:events'
import { connect, type Socket } from 'node:net'
import type { Request } from './deliveries.js'
import { framed, headOf, takeAnswer, type Answer } from './wire.js'

/** One connection, on which the case sends every byte itself. */
export class Client {
  readonly #socket: Socket
  readonly #news = new EventEmitter()
  readonly #onRequest: (request: Request) => void
  #received = Buffer.alloc(0)
  #end: 'closed' | 'reset' | undefined

  static async connect(port: number, onRequest: (request: Request) => void): Promise<Client> {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    await once(socket, 'connect')
    return new Client(socket, onRequest)
  }

  private constructor(socket: Socket, onRequest: (request: Request) => void) {
    this.#socket = socket
    this.#onRequest = onRequest
    socket.on('data', (bytes: Buffer) => {
      this.#received = Buffer.concat([this.#received, bytes])
      this.#news.emit('news')
    })
    const onEnd = (end: 'closed' | 'reset') => () => {
      this.#end ??= end
      this.#news.emit('news')
    }
    socket.on('end', onEnd('closed'))
    socket.on('error', onEnd('reset'))
    socket.on('close', onEnd('reset'))
  }

  /** Sends the head of a request. */
  async start(request: Request): Promise<void> {
    this.#onRequest(request)
    await this.write(headOf(request))
  }

  /** Sends a complete request. */
  async send(request: Request): Promise<void> {
    await Promise.all([this.start(request), this.write(framed(request))])
  }

  /** Resolves when the bytes have been sent. */
  async write(bytes: Uint8Array): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#socket.write(bytes, () => {
        resolve()
      })
    })
  }

  /** Everything that is written in the callback is sent in one piece. */
  together(writes: () => void): void {
    this.#socket.cork()
    writes()
    this.#socket.uncork()
  }

  /** Resolves to the next answer, which may be an interim one. */
  async answer(): Promise<Answer> {
    for (;;) {
      const taken = takeAnswer(this.#received, this.#end !== undefined)
      if (taken !== undefined) {
        this.#received = Buffer.from(taken.rest)
        return taken.answer
      }
      if (this.#end !== undefined) throw new Error(`the connection was ${this.#end} without an answer`)
      await once(this.#news, 'news')
    }
  }

  /** Resolves when the server has ended the connection. A reset can overtake the answer, or the whole of a body. */
  async ended(): Promise<'closed' | 'reset'> {
    for (;;) {
      if (this.#end !== undefined) return this.#end
      await once(this.#news, 'news')
    }
  }

  /** Everything that is written in the callback is written before anything is read. */
  async withoutReading(write: () => Promise<void>): Promise<void> {
    this.#socket.pause()
    await write()
    this.#socket.resume()
  }

  /** Closes the connection for writing. An answer can still arrive. */
  finishWriting(): void {
    this.#socket.end()
  }

  async leave(): Promise<void> {
    if (this.#socket.closed) return
    this.#socket.destroy()
    await once(this.#socket, 'close')
  }
}
