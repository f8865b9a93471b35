import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

const DATA = 0
const HEADERS = 1
const RST_STREAM = 3
const SETTINGS = 4
const END_HEADERS = 4
const ACK = 1

/**
 * One request on a connection of HTTP/2, frame by frame (RFC 9113, 4.1): the client of Node ends a stream before it resets
 * it, so that its body looks complete.
 */
export class FrameClient {
  readonly #socket: Socket

  static async connect(port: number): Promise<FrameClient> {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    // The server may reset the connection.
    socket.on('error', () => undefined).resume()
    await once(socket, 'connect')
    socket.write('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n')
    return new FrameClient(socket)
  }

  private constructor(socket: Socket) {
    this.#socket = socket
    this.#write(SETTINGS, 0, 0, Buffer.alloc(0))
    this.#write(SETTINGS, ACK, 0, Buffer.alloc(0))
  }

  begin(path: string, headers: Readonly<Record<string, string>>): void {
    const all = { ':method': 'POST', ':scheme': 'http', ':authority': 'localhost', ':path': path, ...headers }
    this.#write(HEADERS, END_HEADERS, 1, Buffer.concat(Object.entries(all).map(literal)))
  }

  data(bytes: Uint8Array): void {
    this.#write(DATA, 0, 1, bytes)
  }

  reset(code: number): void {
    const payload = Buffer.alloc(4)
    payload.writeUInt32BE(code)
    this.#write(RST_STREAM, 0, 1, payload)
  }

  async leave(): Promise<void> {
    if (this.#socket.closed) return
    this.#socket.end()
    this.#socket.destroySoon()
    await once(this.#socket, 'close')
  }

  #write(type: number, flags: number, stream: number, payload: Uint8Array): void {
    const head = Buffer.alloc(9)
    head.writeUIntBE(payload.length, 0, 3)
    head.writeUInt8(type, 3)
    head.writeUInt8(flags, 4)
    head.writeUInt32BE(stream, 5)
    this.#socket.write(Buffer.concat([head, payload]))
  }
}

/** A header as plain text (RFC 7541, 6.2.2). Its lengths have one byte, up to 126; longer ones continue (5.1). */
function literal([name, value]: readonly [string, string]): Buffer {
  return Buffer.concat([Buffer.of(0), text(name), text(value)])
}

function text(value: string): Buffer {
  const bytes = Buffer.from(value)
  // One more byte is enough for 254.
  const length = bytes.length < 127 ? [bytes.length] : [127, bytes.length - 127]
  return Buffer.concat([Buffer.from(length), bytes])
}
