import type { Version } from '@service-signature/core'
import { intentEvent, sign, transactionEvent } from '@service-signature/core/testing'
import { randomUUID } from 'node:crypto'
import type { Manner } from './send-body.js'

// ASCII only: an endpoint that handles other letters wrongly must fail the cases about letters, and only those.
const PAYMENT_METHOD = 'Credit card'

export interface SenderKeys {
  readonly secret: string
  readonly apiKey: string
}

/** Whose events the endpoint should accept. */
export interface Owner {
  /** The id of the account. */
  readonly account?: string
  /** Live mode, or test mode. */
  readonly live?: boolean
}

/** A request as it is sent. */
export interface AuditRequest {
  readonly method: 'POST' | 'PUT'
  /** All headers but `Host` and the one that frames the body. A name that is listed twice is sent twice. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: Uint8Array
  readonly manner: Manner
  /** The pause before it is sent. */
  readonly afterMs?: number
  /** Texts that no answer may contain: the keys, and the digests that would be right. */
  readonly secrets: () => readonly string[]
}

/** The elements of a `Service-Signature` in their order. Those of a forgery need not follow the grammar. */
export type Elements = readonly Element[]
export type Element = readonly [name: string, value: string]

/** The parts of a delivery that a case can change. */
export interface Changes extends Partial<Pick<AuditRequest, 'method' | 'manner' | 'afterMs'>> {
  /** The name of the signature header. */
  readonly name?: string
  /** The values of that header, each sent as a line of its own. */
  readonly signature?: readonly string[]
  /** The content type. */
  readonly type?: string
  /** Further headers. */
  readonly headers?: Readonly<Record<string, string>>
}

/** What is special about a purchase. */
export interface Purchase {
  readonly message?: string
  readonly fields?: Readonly<Record<string, unknown>>
  /** The id of its intent. */
  readonly intentId?: string
}

/** What is special about an intent. */
export type PaidIntent = Pick<Purchase, 'fields' | 'intentId'>

/** Signs and builds deliveries as the payment service does. Each event has new ids, so none is a duplicate. */
export class Sender {
  readonly keys: SenderKeys
  /** The versions that the endpoint should require, all of them. */
  readonly versions: readonly Version[]
  /** Whose events these are. */
  readonly account: string
  readonly live: boolean
  readonly #now: () => number

  constructor(keys: SenderKeys, versions: readonly Version[], owner: Owner, now: () => number) {
    const { account, is_live } = intentEvent().data.intent
    this.keys = keys
    this.versions = versions
    this.account = owner.account ?? account
    this.live = owner.live ?? is_live === true
    this.#now = now
  }

  /** The service as it sends to another account of the organization: with its secret, and another API key. */
  ofAnotherAccount(): Sender {
    return this.#of({ account: `acc_${randomUUID().replaceAll('-', '')}`, live: this.live })
  }

  /** The service as it sends in the other mode, whose API keys are others. */
  ofOtherMode(): Sender {
    return this.#of({ account: this.account, live: !this.live })
  }

  #of(owner: Owner): Sender {
    const keys = { ...this.keys, apiKey: `another key ${randomUUID()}` }
    return new Sender(keys, this.versions, owner, this.#now)
  }

  /** The body of a transaction event. */
  purchase({
    message = 'Thank you for your order',
    fields = {},
    intentId = newIntentId(),
  }: Purchase = {}): string {
    const id = randomUUID()
    const custom_fields = { order_id: `audit-${id}`, ...fields }
    const transaction = { id, custom_message: message, method: { display_name: PAYMENT_METHOD } }
    const account = { id: this.account }
    return JSON.stringify(transactionEvent({ intent: { id: intentId, custom_fields }, account, transaction }))
  }

  /** The body of an intent event. */
  intent({ fields = {}, intentId = newIntentId() }: PaidIntent = {}): string {
    const id = randomUUID()
    const custom_fields = { order_id: `audit-${id}`, ...fields }
    const { active_transaction } = intentEvent().data.intent
    const { account, live: is_live } = this
    const own = { ...active_transaction!, id, account, custom_fields, payment_method_name: PAYMENT_METHOD }
    const method = { display_name: PAYMENT_METHOD }
    const intent = {
      ...{ id: intentId, account, is_live, custom_fields, method },
      ...{ active_transaction: own, transactions_history: [own] },
    }
    return JSON.stringify(intentEvent({ data: { intent_id: intentId, intent } }))
  }

  /** The header elements that the payment service sends with a body: the time and all three versions. */
  sign(body: string | Uint8Array, at: number | string = this.now()): Elements {
    return elementsOf(sign(body, { ...this.keys, timestamp: at }))
  }

  /** The Unix time in seconds. */
  now(): number {
    return Math.floor(this.#now() / 1000)
  }

  /** A delivery that is valid except for what the case changes. */
  deliver(body: string | Uint8Array, changes: Changes = {}): AuditRequest {
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
      secrets: () => [this.keys.secret, this.keys.apiKey, ...this.#rightDigests(body, lines.join())],
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

function newIntentId(): string {
  return `int_${randomUUID().replaceAll('-', '')}`
}

function spellings(digest: string): readonly string[] {
  return [digest, digest.toUpperCase(), Buffer.from(digest, 'hex').toString('base64')]
}

function elementsOf(header: string): Elements {
  return header.split(',').map((element) => {
    const equals = element.indexOf('=')
    return [element.slice(0, equals), element.slice(equals + 1)]
  })
}

/** The text of the header. */
export function print(elements: Elements): string {
  return elements.map(([name, value]) => `${name}=${value}`).join()
}

/** The same elements with the values of some changed. */
export function change(
  elements: Elements,
  names: readonly string[],
  to: (value: string) => string,
): Elements {
  return elements.map(([name, value]) => [name, names.includes(name) ? to(value) : value])
}

/** The same elements without the ones that are not named. */
export function only(elements: Elements, names: readonly string[]): Elements {
  return elements.filter(([name]) => names.includes(name))
}
