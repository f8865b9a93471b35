import { EventEmitter, once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { serve } from './serve.js'

export interface Received {
  readonly method: string
  readonly path: string
  /** Names as they were sent. */
  readonly rawHeaders: readonly string[]
  readonly headers: IncomingMessage['headers']
  readonly bytes: Buffer
}

export type Reply = (response: ServerResponse) => void

/** An endpoint of a merchant, that takes everything down. It stops with the test. */
export class Endpoint {
  readonly received: Received[] = []
  readonly url: string
  readonly #news = new EventEmitter()
  #replies: readonly Reply[] = [ok]

  private constructor(url: string) {
    this.url = url
  }

  static async start(): Promise<Endpoint> {
    const server = createServer((request, response) => void endpoint.#take(request, response))
    const endpoint = new Endpoint(`${await serve(server)}/webhooks`)
    return endpoint
  }

  /** One reply for each request from now on, the last of them for all that follow. */
  replyWith(...replies: readonly Reply[]): void {
    this.#replies = replies
  }

  /** Resolves when so many requests have come. */
  async until(count: number): Promise<void> {
    while (this.received.length < count) await once(this.#news, 'received')
  }

  get events(): readonly Event[] {
    return this.received.map(({ bytes }) => JSON.parse(bytes.toString()) as Event)
  }

  get types(): readonly string[] {
    return this.events.map(({ type }) => type)
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    try {
      for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
    } catch {
      // An audit also hangs up in the middle of a body.
      return
    }
    const { method, url, rawHeaders, headers } = request
    this.received.push({ method: method!, path: url!, rawHeaders, headers, bytes: Buffer.concat(chunks) })
    const [reply, ...others] = this.#replies
    if (others.length > 0) this.#replies = others
    reply!(response)
    this.#news.emit('received')
  }
}

export interface Event {
  readonly type: string
  readonly [field: string]: unknown
}

/** A field of an event, by its path, such as "data.intent.id". */
export function fieldOf(event: Event | undefined, path: string): unknown {
  return path.split('.').reduce<unknown>((value, name) => Reflect.get(value as object, name), event)
}

export const ok: Reply = (response) => response.writeHead(204).end()

export function status(code: number, headers: Record<string, string> = {}): Reply {
  return (response) => response.writeHead(code, headers).end('no')
}

export const never: Reply = () => undefined

/** A part of an answer, and then the end of the connection. */
export const cut: Reply = (response) => {
  response.writeHead(200, { 'Content-Length': '10' })
  response.write('half', () => response.destroy())
}
