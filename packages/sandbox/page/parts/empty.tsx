import type { ComponentChildren } from 'preact'

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

/** A problem in place of what could not be shown. */
export function Problem({ message, onRetry }: { readonly message: string; readonly onRetry: () => void }) {
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
