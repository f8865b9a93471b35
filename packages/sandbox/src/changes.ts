/** What has changed. A listener that needs more asks for it. */
export interface Change {
  readonly kind: ChangeKind
  /** Missing if there is only one of the kind. */
  readonly id?: string
}

export type ChangeKind =
  'account' | 'card' | 'customer' | 'delivery' | 'faults' | 'intent' | 'key' | 'reset' | 'secret'

/** Announces changes to listeners, such as the page. */
export class Changes {
  readonly #listeners = new Set<(change: Change) => void>()

  announce(kind: ChangeKind, id?: string): void {
    for (const listener of this.#listeners) listener({ kind, ...(id !== undefined && { id }) })
  }

  /** Returns a function that ends it. */
  listen(listener: (change: Change) => void): () => void {
    this.#listeners.add(listener)
    return () => {
      this.#listeners.delete(listener)
    }
  }
}
