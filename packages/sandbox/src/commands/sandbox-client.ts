import { printable } from '@service-signature/saved-deliveries'
import type { Envelope } from '../http/envelope.js'

/** There is no sandbox at the address, or it ended. */
export class UnreachableSandbox extends Error {}

/** The sandbox answered that the request is wrong. */
export class RefusedBySandbox extends Error {}

/** What the stream of a sandbox announces: one thing of a kind, several, or all of them. */
export interface AnnouncedChange {
  readonly kind: string
  readonly id?: string
}

/** The control API of a sandbox in another process. */
export class SandboxClient {
  readonly #origin: string

  constructor(url: string) {
    this.#origin = new URL(url).origin
  }

  /** @throws {RefusedBySandbox | UnreachableSandbox} */
  get(path: string): Promise<unknown> {
    return this.#call(path, {})
  }

  /** @throws {RefusedBySandbox | UnreachableSandbox} */
  post(path: string, body: object): Promise<unknown> {
    const headers = { 'Content-Type': 'application/json' }
    return this.#call(path, { method: 'POST', headers, body: JSON.stringify(body) })
  }

  /**
   * The changes from now on: when it resolves, none is missed.
   *
   * @throws {UnreachableSandbox}
   */
  async changes(end: AbortSignal): Promise<AsyncIterable<AnnouncedChange>> {
    const { body } = await this.#fetch('stream', { signal: end })
    return changesIn(body as AsyncIterable<Uint8Array>)
  }

  async #call(path: string, request: RequestInit): Promise<unknown> {
    const response = await this.#fetch(path, request)
    const envelope = (await response.json().catch(() => undefined)) as Envelope | undefined
    if (envelope?.status === undefined) {
      const answer = printable(`${response.status} ${response.statusText}`)
      throw new UnreachableSandbox(`${this.#origin} is not a sandbox: it answered ${answer}.`)
    }
    if (response.ok) return envelope.data
    const { message, errors } = envelope.status
    const problems = errors.flatMap((error) =>
      Object.entries(error).map(([name, text]) => `  ${printable(`${name} ${text}`)}`),
    )
    throw new RefusedBySandbox([`The sandbox refused it: ${printable(message)}`, ...problems].join('\n'))
  }

  async #fetch(path: string, request: RequestInit): Promise<Response> {
    try {
      return await fetch(`${this.#origin}/_sandbox/${path}`, request)
    } catch (cause) {
      throw new UnreachableSandbox(
        `There is no sandbox at ${this.#origin}. Start it: ` +
          'npx service-signature-sandbox listen --forward-to <url of your endpoint>',
        { cause },
      )
    }
  }
}

/** Reads server-sent events whose data is one line. */
async function* changesIn(body: AsyncIterable<Uint8Array>): AsyncGenerator<AnnouncedChange> {
  const decoder = new TextDecoder()
  let text = ''
  try {
    for await (const chunk of body) {
      const lines = (text + decoder.decode(chunk, { stream: true })).split('\n')
      text = lines.pop()!
      for (const line of lines) {
        if (line.startsWith('data: ')) yield JSON.parse(line.slice('data: '.length)) as AnnouncedChange
      }
    }
  } catch {
    // The end of a sandbox breaks the connection off.
  }
  throw new UnreachableSandbox('The sandbox ended before the endpoint answered.')
}
