import { printable } from '@service-signature/deliveries'
import {
  authorizationFor,
  HOW_TO_PASS_TOKEN,
  UnreachableError,
  UsageError,
  type Io,
} from '@service-signature/terminal'

/** How the sandbox answers. */
interface Envelope {
  readonly status: {
    readonly message: string
    readonly errors: readonly Readonly<Record<string, string>>[]
  }
  readonly data: unknown
}

/** What the stream of a sandbox announces: one thing of a kind, several, or all of them. */
export interface AnnouncedChange {
  readonly kind: string
  readonly id?: string
}

interface SandboxRequest extends RequestInit {
  readonly headers?: Readonly<Record<string, string>>
}

/** The control API of a sandbox in another process. */
export class SandboxClient {
  readonly #origin: string
  readonly #authorization: Readonly<Record<string, string>>

  constructor(url: string, io: Io) {
    this.#origin = new URL(url).origin
    this.#authorization = authorizationFor(url, io)
  }

  /** @throws {UsageError | UnreachableError} */
  get(path: string): Promise<unknown> {
    return this.#call(path, {})
  }

  /** @throws {UsageError | UnreachableError} */
  post(path: string, body: object): Promise<unknown> {
    const headers = { 'Content-Type': 'application/json' }
    return this.#call(path, { method: 'POST', headers, body: JSON.stringify(body) })
  }

  /**
   * The changes from now on: when it resolves, none is missed.
   *
   * @throws {UnreachableError}
   */
  async changes(end: AbortSignal): Promise<AsyncIterable<AnnouncedChange>> {
    const { body } = await this.#fetch('stream', { signal: end })
    return changesIn(body as AsyncIterable<Uint8Array>)
  }

  async #call(path: string, request: SandboxRequest): Promise<unknown> {
    const response = await this.#fetch(path, request)
    const envelope = (await response.json().catch(() => undefined)) as Envelope | undefined
    if (envelope?.status === undefined) {
      const answer = printable(`${response.status} ${response.statusText}`)
      throw new UnreachableError(`${this.#origin} is not a sandbox: it answered ${answer}.`)
    }
    if (response.ok) return envelope.data
    if (response.status === 401)
      throw new UsageError(`The sandbox at ${this.#origin} needs its token. ${HOW_TO_PASS_TOKEN}`)
    const { message, errors } = envelope.status
    const problems = errors.flatMap((error) =>
      Object.entries(error).map(([name, text]) => `  ${printable(`${name} ${text}`)}`),
    )
    throw new UsageError([`The sandbox refused it: ${printable(message)}`, ...problems].join('\n'))
  }

  async #fetch(path: string, request: SandboxRequest): Promise<Response> {
    try {
      const headers = { ...this.#authorization, ...request.headers }
      return await fetch(`${this.#origin}/_sandbox/${path}`, { ...request, headers })
    } catch {
      throw new UnreachableError(
        `There is no sandbox at ${this.#origin}. Start it: ` +
          'npx service-signature listen --forward-to <url of your endpoint>',
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
  throw new UnreachableError('The sandbox ended before the endpoint answered.')
}
