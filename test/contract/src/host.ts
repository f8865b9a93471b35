import type { VerifiedWebhook } from '@service-signature/core'
import type { ReceiverOptions } from '@service-signature/core/node'

/** The route for deliveries of every host: `POST /webhooks`. */
export const WEBHOOKS = '/webhooks'
/** The route for other requests, if the setup asks for one: `POST /other`. */
export const OTHER = '/other'

/** One host in one version, with its adapter. */
export interface Host {
  /** `Express 5` */
  readonly name: string
  /** The parsers that its users may put before the verification, as far as the host has them. */
  readonly parsers?: readonly Parser[]
  /** Abilities that its transport lacks. The cases that need them are skipped with a warning. */
  readonly lacks?: readonly Ability[]
  /** Whether its server can speak HTTP/2. */
  readonly speaksHttp2?: boolean
  /**
   * For what `npm test` takes this host instead of others of its kind: for their way to pass on requests (`transport`), or also
   * for what every adapter shares (`receiver`).
   */
  readonly standsFor?: 'transport' | 'receiver'
  /** A new server, on a free port of 127.0.0.1. The suite closes it. */
  readonly start: (setup: Setup) => Promise<Running>
}

/**
 * Abilities of the transport of a server:
 * - `streaming`: to pass a request on before it is complete, and close its connection
 * - `cutting off`: to end a connection over a body that is not read, with the answer on it, however slow the sender is. Hono's
 *   server ends it half a second after the answer: a slow sender of many megabytes sees a reset
 * - `every header line`: to pass on all header lines of one name, not only the last
 * - `every byte`: to pass on a body that is not UTF-8, whatever its content type
 * - `tracing the next handler`: to run the next handler from within the adapter
 * - `errors of the next handler`: to pass them to the adapter before the host answers them
 */
export type Ability =
  | 'streaming'
  | 'cutting off'
  | 'every header line'
  | 'every byte'
  | 'tracing the next handler'
  | 'errors of the next handler'

export interface Setup {
  /** Options to pass to the adapter unchanged. They fit every adapter. */
  readonly options: ReceiverOptions<unknown>
  /**
   * The handler of `POST /webhooks`. The host passes it the delivery from where its users find it, awaits it,
   * and answers with `status` and the text `handled`; if it throws or rejects, the host answers 500.
   *
   * It is also set when there is a `dispatcher`, where it must never be called.
   */
  readonly handler: (webhook: VerifiedWebhook) => unknown
  /** The status that the handler of `POST /webhooks` answers with. Default: 200. */
  readonly status?: (() => number) | undefined
  /** The server speaks HTTP/2, without TLS. */
  readonly isHttp2?: boolean | undefined
  /** One of the host's `parsers`. Without it, only the adapter touches the body. */
  readonly parser?: Parser | undefined
}

/**
 * Parsers before the verification (`after`: after it), by what they do to the body:
 * - `json`, `text`: consumes the bytes, and leaves the parsed body
 * - `raw`: consumes the bytes, and leaves them as they are, whatever the content type
 * - `kept`: parses the bytes as JSON, and also keeps them
 * - `skipped`: a JSON parser, to which the suite sends another content type
 * - `elsewhere`: a JSON parser, on `POST /other` only. That route answers 200 with the body, parsed and printed again
 * - `after`: a JSON parser between the adapter and the handler
 * - `twice`: the adapter itself, mounted for all routes
 */
export type Parser = 'json' | 'text' | 'raw' | 'kept' | 'skipped' | 'elsewhere' | 'after' | 'twice'

export interface Running {
  readonly port: number
  /** Called after the suite has closed all its connections. */
  readonly close: () => Promise<void>
}
