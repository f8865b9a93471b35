import type { Cancel, Clock } from '../store/clock.js'
import type { Change } from '../store/store.js'

/** Changes of one kind that were joined. */
export type ChangeMessage = Change | { readonly kind: Change['kind']; readonly ids: readonly string[] }

const JOINED_MS = 100

/** Passes on the first change at once, and those that follow within 100 ms together, one message for each kind. */
export class ChangeJoiner {
  readonly #after: Clock['after']
  readonly #send: (messages: readonly ChangeMessage[]) => void
  #joined = new Map<Change['kind'], Set<string>>()
  #cancel: Cancel | undefined

  constructor(after: Clock['after'], send: (messages: readonly ChangeMessage[]) => void) {
    this.#after = after
    this.#send = send
  }

  add({ kind, id }: Change): void {
    const ids = this.#joined.get(kind) ?? new Set()
    if (id !== undefined) ids.add(id)
    this.#joined.set(kind, ids)
    if (this.#cancel === undefined) this.#flush()
  }

  #flush(): void {
    this.#cancel = undefined
    if (this.#joined.size === 0) return
    const messages = [...this.#joined].map(([kind, ids]) => messageOf(kind, [...ids]))
    this.#joined = new Map()
    this.#cancel = this.#after(JOINED_MS, () => {
      this.#flush()
    })
    this.#send(messages)
  }

  end(): void {
    this.#cancel?.()
  }
}

function messageOf(kind: Change['kind'], ids: readonly string[]): ChangeMessage {
  const [id, ...others] = ids
  if (id === undefined) return { kind }
  return others.length === 0 ? { kind, id } : { kind, ids }
}
