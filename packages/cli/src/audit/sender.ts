import type { Version } from '@service-signature/core'
import { intentEvent, sign, transactionEvent } from '@service-signature/core/testing'
import { randomUUID } from 'node:crypto'
import type { Delivery } from './delivery.js'
import { elementsOf, print, type Elements } from './header.js'

export interface SenderKeys {
  readonly secret: string
  readonly apiKey: string
}

/** Stands for the payment service. Each of its events is a new one: no endpoint takes it for a duplicate. */
export class Sender {
  readonly keys: SenderKeys
  /** The versions that the endpoint is to ask for, all of them. */
  readonly versions: readonly Version[]
  readonly #clock: () => number

  constructor(keys: SenderKeys, versions: readonly Version[], clock: () => number) {
    this.keys = keys
    this.versions = versions
    this.#clock = clock
  }

  /** A transaction event (S6.6, shape A). */
  purchase({ message = 'Thank you for your order', fields = {} }: Purchase = {}): string {
    const id = randomUUID()
    const custom_fields = { order_id: `audit-${id}`, ...fields }
    return JSON.stringify(
      transactionEvent({ intent: { custom_fields }, transaction: { id, custom_message: message } }),
    )
  }

  /** An intent event (S6.6, shape B). */
  intent(): string {
    const id = randomUUID()
    const custom_fields = { order_id: `audit-${id}` }
    return JSON.stringify(
      intentEvent({ data: { intent: { custom_fields, active_transaction: { id, custom_fields } } } }),
    )
  }

  /** What the payment service sends with a body: the time, and all three versions (S6.2). */
  sign(body: string | Uint8Array, at: number | string = this.now()): Elements {
    return elementsOf(sign(body, { ...this.keys, timestamp: at }))
  }

  /** The Unix time in seconds. */
  now(): number {
    return Math.floor(this.#clock() / 1000)
  }

  /** A delivery, genuine but for what the case changes of it. */
  deliver(body: string | Uint8Array, changes: Changes = {}): Delivery {
    const { name = 'Service-Signature', signature, headers, type, ...others } = changes
    const lines = signature ?? [print(this.sign(body))]
    return {
      method: 'POST',
      manner: 'whole',
      ...others,
      headers: [
        ['User-Agent', 'service-signature audit'],
        ['Content-Type', type ?? 'application/json'],
        ...Object.entries(headers ?? {}),
        ...lines.map((line) => [name, line] as const),
      ],
      body: Buffer.from(body as string),
      untold: () => [this.keys.secret, this.keys.apiKey, ...this.#rightDigests(body, lines.join())],
    }
  }

  /** The digests that would be right at the time that was sent. */
  #rightDigests(body: string | Uint8Array, header: string): readonly string[] {
    const [, t] = /\bt=(\d{1,12})\b/.exec(header) ?? []
    return t === undefined
      ? []
      : this.sign(body, t)
          .slice(1)
          .flatMap(([, digest]) => spellings(digest))
  }
}

function spellings(digest: string): readonly string[] {
  return [digest, digest.toUpperCase(), Buffer.from(digest, 'hex').toString('base64')]
}

interface Purchase {
  readonly message?: string
  readonly fields?: Readonly<Record<string, unknown>>
}

/** What a case can change of a delivery. */
export interface Changes extends Partial<Pick<Delivery, 'method' | 'manner'>> {
  /** Of the header with the signature. */
  readonly name?: string
  /** The values of that header, each sent on a line of its own. */
  readonly signature?: readonly string[]
  /** The content type. */
  readonly type?: string
  /** Beside those. */
  readonly headers?: Readonly<Record<string, string>>
}
