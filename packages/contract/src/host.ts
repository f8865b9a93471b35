import type { VerifiedWebhook } from '@service-signature/core'
import type { ReceiverOptions } from '@service-signature/core/node'

/** Where every host takes deliveries: `POST /webhooks`. */
export const WEBHOOKS = '/webhooks'
/** Where a host takes other requests, if its setup says so: `POST /other`. */
export const OTHER = '/other'

/** One host in one version, with its adapter. */
export interface Host {
  /** `Express 5` */
  readonly name: string
  /** What its users may put before the verification. Left out is what the host does not have. */
  readonly parsers?: readonly Parser[]
  /** What its transport cannot do. The cases that take it are skipped, and a warning says so. */
  readonly lacks?: readonly Ability[]
  /** A new server, on a free port of 127.0.0.1. The suite closes it. */
  readonly start: (setup: Setup) => Promise<Running>
}

/**
 * What the transport of a server can do:
 * - `streaming`: to hand a request over before it is whole, and close its connection
 * - `seeing hang-ups`: to report to the adapter that the sender is gone
 * - `cutting off`: to end a connection over a body that is too large, with the answer on it
 * - `every header line`: to hand over all lines of one name, and not the last alone
 * - `every byte`: to hand over a body that is no UTF-8, whatever its content type
 */
export type Ability = 'streaming' | 'seeing hang-ups' | 'cutting off' | 'every header line' | 'every byte'

export interface Setup {
  /** For the adapter, as they are. They fit the options of every adapter. */
  readonly options: ReceiverOptions<unknown>
  /**
   * What the handler of `POST /webhooks` does. The host gives it the delivery from where its users find it, awaits it,
   * and answers with `status` and the text `handled`; if it throws or rejects, the host answers 500.
   *
   * It is given with a `dispatcher` too, and never to be reached there.
   */
  readonly handler: (webhook: VerifiedWebhook) => unknown
  /** The status that the handler of `POST /webhooks` answers with. Default: 200. */
  readonly status?: (() => number) | undefined
  /** One of the host's `parsers`. Without it nothing but the adapter touches the body. */
  readonly parser?: Parser | undefined
}

/**
 * What stands before the verification (`behind`: after it), by what it does to the body:
 * - `json`, `text`: takes the bytes, and leaves what it made of them
 * - `raw`: takes the bytes, and leaves them, whatever the content type
 * - `kept`: makes JSON of the bytes, and keeps them beside it
 * - `skipped`: a JSON parser, to which the suite sends another content type
 * - `elsewhere`: a JSON parser, on `POST /other` only. That route answers 200 with the body, parsed and printed again
 * - `behind`: a JSON parser between the adapter and the handler
 * - `twice`: the adapter itself, mounted for all routes
 */
export type Parser = 'json' | 'text' | 'raw' | 'kept' | 'skipped' | 'elsewhere' | 'behind' | 'twice'

export interface Running {
  readonly port: number
  /** The suite has left all its connections before. */
  readonly close: () => Promise<void>
}
