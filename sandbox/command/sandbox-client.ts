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

/** The control API of a sandbox in another process. */
export class SandboxClient {
  readonly origin: string
  readonly #headers: Readonly<Record<string, string>>

  /** @throws {UsageError} on an address that is not one */
  constructor(address: string, io: Io) {
    if (!/^https?:/i.test(address) || !URL.canParse(address)) {
      // The rest may be its token.
      const [shown] = address.split('?') as [string]
      throw new UsageError(`--sandbox must be an address such as http://127.0.0.1:4000, got ${shown}`)
    }
    this.origin = new URL(address).origin
    this.#headers = { ...authorizationFor(address, io), 'Content-Type': 'application/json' }
  }

  /**
   * The changes of deliveries from now on: when it resolves, none is missed.
   *
   * @throws {UnreachableError}
   */
  async deliveryChanges(end: AbortSignal): Promise<AsyncGenerator> {
    const { body } = await this.#fetch('stream', { signal: end })
    // Locked at once: Node cancels the stream of a response that nothing reads when it collects garbage.
    return changesIn(body!.values() as AsyncIterable<Uint8Array>)
  }

  /**
   * What it answers, to a POST if there is a body.
   *
   * @throws {UsageError | UnreachableError}
   */
  async request(path: string, body?: object): Promise<unknown> {
    const response = await this.#fetch(path, body && { method: 'POST', body: JSON.stringify(body) })
    const envelope = (await response.json().catch(() => undefined)) as Envelope | undefined
    if (envelope?.status === undefined) {
      const answer = printable(`${response.status} ${response.statusText}`)
      throw new UnreachableError(`${this.origin} is not a sandbox: it answered ${answer}.`)
    }
    if (response.ok) return envelope.data
    if (response.status === 401) {
      const fault = 'Authorization' in this.#headers ? 'has another token' : 'needs its token'
      throw new UsageError(`The sandbox at ${this.origin} ${fault}. ${HOW_TO_PASS_TOKEN}`)
    }
    const { message, errors } = envelope.status
    const problems = errors.flatMap((error) =>
      Object.entries(error).map(([name, text]) => `\n  ${printable(`${name} ${text}`)}`),
    )
    throw new UsageError(`The sandbox refused it: ${printable(message)}${problems.join('')}`)
  }

  async #fetch(path: string, request: RequestInit = {}): Promise<Response> {
    try {
      return await fetch(`${this.origin}/_sandbox/${path}`, { ...request, headers: this.#headers })
    } catch {
      throw new UnreachableError(
        `There is no sandbox at ${this.origin}. Start it: ` +
          'npx service-signature listen --forward-to <url of your endpoint>',
      )
    }
  }
}

/** Reads server-sent events whose data is one line. */
async function* changesIn(body: AsyncIterable<Uint8Array>): AsyncGenerator {
  const decoder = new TextDecoder()
  let text = ''
  try {
    for await (const chunk of body) {
      const lines = (text + decoder.decode(chunk, { stream: true })).split('\n')
      text = lines.pop()!
      for (const line of lines) if (/^data: .*"kind":"delivery"/.test(line)) yield
    }
  } catch {
    // The end of a sandbox breaks the connection off.
  }
  throw new UnreachableError('The sandbox ended before the endpoint answered.')
}
