/** What has changed. Whoever wants to know more asks for it. */
export interface Change {
  readonly kind: ChangeKind
  /** Missing where there is only one of the kind. */
  readonly id?: string
}

export type ChangeKind =
  'account' | 'card' | 'customer' | 'delivery' | 'faults' | 'intent' | 'key' | 'reset' | 'secret'

/** Tells those who look on, such as the page, what has changed. */
export interface Changes {
  readonly announce: (kind: ChangeKind, id?: string) => void
  /** Returns how to stop it. */
  readonly listen: (listener: (change: Change) => void) => () => void
}

export function createChanges(): Changes {
  const listeners = new Set<(change: Change) => void>()
  return {
    announce(kind, id) {
      for (const listener of listeners) listener({ kind, ...(id !== undefined && { id }) })
    },
    listen(listener) {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
  }
}
