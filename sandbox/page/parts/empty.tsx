import type { ComponentChildren } from 'preact'
import { ApiError } from '../api/client.js'

/** What an empty list says: one line that teaches, and something to do. */
export function Empty({
  title,
  children,
}: {
  readonly title: string
  readonly children?: ComponentChildren
}) {
  return (
    <div class="empty">
      <p class="empty-title">{title}</p>
      {children}
    </div>
  )
}

interface ProblemProps {
  readonly message: string
  readonly onRetry: () => void
}

/** A problem in place of what could not be shown. */
export function Problem({ message, onRetry }: ProblemProps) {
  return (
    <div class="empty" role="alert">
      <p class="empty-title">{message}</p>
      <p>
        <button type="button" class="button" onClick={onRetry}>
          Try again
        </button>
      </p>
    </div>
  )
}

interface ItemProblemProps {
  readonly error: Error
  readonly onRetry: () => void
  readonly noun: string
  /** The list that the item would be in. */
  readonly list: string
}

/** The same in place of an item. One that does not exist is not asked for again. */
export function ItemProblem({ error, onRetry, noun, list }: ItemProblemProps) {
  if (!(error instanceof ApiError && error.status === 404)) {
    return <Problem message={error.message} onRetry={onRetry} />
  }
  return (
    <div class="empty" role="alert">
      <p class="empty-title">
        {noun} not found. It may be from before a reset, or have made room for newer ones.
      </p>
      <a class="button" href={list}>
        Go to the list
      </a>
    </div>
  )
}
