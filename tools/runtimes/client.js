import { EventEmitter, once } from 'node:events'
import { connect } from 'node:net'
import { framed, headOf, takeAnswer } from './wire.js'

/** One connection, on which the case decides every byte. */
export class Client {
  #received = Buffer.alloc(0)
  #isEnded = false
  #news = new EventEmitter()
  #socket
  #path

  /**
   * @param {number} port
   * @param {string} path
   * @param {AbortSignal} deadline ends all that waits
   */
  static async connect(port, path, deadline) {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    await once(socket, 'connect', { signal: deadline })
    return new Client(socket, path, deadline)
  }

  /**
   * @param {import('node:net').Socket} socket
   * @param {string} path
   * @param {AbortSignal} deadline
   */
  constructor(socket, path, deadline) {
    this.#socket = socket
    this.#path = path
    this.deadline = deadline
    socket.on('data', (/** @type {Buffer} */ bytes) => {
      this.#received = Buffer.concat([this.#received, bytes])
      this.#news.emit('news')
    })
    for (const event of ['end', 'error', 'close']) {
      socket.on(event, () => {
        this.#isEnded = true
        this.#news.emit('news')
      })
    }
  }

  /**
   * The head of a request.
   *
   * @param {import('./deliveries.js').Delivery} delivery
   */
  start(delivery) {
    this.write(headOf(this.#path, delivery))
  }

  /**
   * A whole request.
   *
   * @param {import('./deliveries.js').Delivery} delivery
   */
  send(delivery) {
    this.start(delivery)
    this.write(framed(delivery))
  }

  /** @param {Uint8Array} bytes */
  write(bytes) {
    this.#socket.write(bytes)
  }

  /**
   * The next answer.
   *
   * @returns {Promise<import('./wire.js').Answer>}
   */
  async answer() {
    for (;;) {
      const taken = takeAnswer(this.#received, this.#isEnded)
      if (taken !== undefined) {
        this.#received = Buffer.from(taken.rest)
        return taken.answer
      }
      if (this.#isEnded) throw new Error('the connection ended without an answer')
      await this.#somethingNew()
    }
  }

  /** Resolves when the server has ended the connection. */
  async ended() {
    while (!this.#isEnded) await this.#somethingNew()
  }

  /** Nothing more will be written; an answer may still come. */
  finishWriting() {
    this.#socket.end()
  }

  async leave() {
    if (this.#socket.closed) return
    this.#socket.destroy()
    await once(this.#socket, 'close')
  }

  async #somethingNew() {
    await once(this.#news, 'news', { signal: this.deadline })
  }
}
