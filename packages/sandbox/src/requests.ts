import { KeptMap, Memory } from './memory.js'
import type { Scope } from './model/entities.js'
import { NoStorage } from './storage/storage.js'

/** A call of the API, with its answer. It holds no key, secret, card number or CVV. */
export interface LoggedRequest {
  readonly id: string
  readonly at: number
  readonly method: string
  readonly path: string
  /** The path with names in place of values; missing if there is no such path. */
  readonly operation?: string | undefined
  readonly status: number
  readonly durationMs: number
  /** The account and mode that the key is for, if it is one of an account. */
  readonly scope?: Scope | undefined
  readonly headers: Readonly<Record<string, string>>
  /** Missing on a request without a body, or to the vault. */
  readonly requestBody?: string | undefined
  readonly responseBody?: string | undefined
}

const MAX_REQUESTS = 2000
const MAX_BYTES = 16 * 1024 * 1024

/** The newest calls of the API. */
export class Requests {
  readonly #kept = new KeptMap<LoggedRequest>({
    memory: new Memory(MAX_BYTES),
    storage: new NoStorage(),
    kind: 'request',
  })
  #count = 0

  add(request: Omit<LoggedRequest, 'id'>): LoggedRequest {
    // Counted on after a reset, so that no id ever stands for another request.
    const id = `req_${++this.#count}`
    const logged = { id, ...request }
    this.#kept.set(id, logged)
    this.#kept.delete(`req_${this.#count - MAX_REQUESTS}`)
    return logged
  }

  get(id: string): LoggedRequest | undefined {
    return this.#kept.get(id)
  }

  newestFirst(): Iterable<LoggedRequest> {
    return this.#kept.newestFirst()
  }

  clear(): void {
    for (const id of [...this.#kept.keys()]) this.#kept.delete(id)
  }
}
